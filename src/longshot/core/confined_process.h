// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

#include "longshot/core/message.h"

namespace longshot {

// The one folder where helper programs are looked for. Empty, as at first: what the variable
// LONGSHOT_HELPERS names; without it beside program or library, or where they are installed.
void set_helper_folder(const std::filesystem::path& folder);
// Throws Error, of the kind not_found, if there is no such program.
std::filesystem::path find_helper(const std::string& program);

// What a helper may cost. Files that somebody else made are read in a helper, so that what they do
// to a decoder happens to a process that holds nothing else and cannot get at anything.
struct ConfinedLimits {
  std::int64_t max_memory = std::int64_t{4} << 30;     // bytes of address space
  double max_cpu_seconds = 20.0;                       // of processor time between two messages
  double max_seconds = 120.0;                          // between two messages, by the clock
  std::int64_t max_message = std::int64_t{512} << 20;  // bytes of one message

  void check() const;
};

// A helper program that runs for one user of it, who alone talks to it. It is started anew, never
// forked, inherits nothing but a socket and the file, and sees no other environment than the paths
// of libraries. It ends with the object. Not for several threads at once.
class ConfinedProcess {
 public:
  // `program` is the helper's name, `task` its first argument. It reads the file, if one is named,
  // from descriptor kFile. Throws Error if the file cannot be read or there is no such helper.
  ConfinedProcess(const std::string& program, const std::string& task,
                  const std::filesystem::path& file, const ConfinedLimits& limits = {});
  ~ConfinedProcess();
  ConfinedProcess(const ConfinedProcess&) = delete;
  ConfinedProcess& operator=(const ConfinedProcess&) = delete;

  // What follows is about something else, which complaints name, and has limits of its own; but
  // max_memory stays as it is.
  void turn_to(const std::string& name, const ConfinedLimits& limits);

  void send(std::uint32_t kind, std::string_view head, std::string_view bytes = {});
  // Waits for the next message, looking for interrupts. Throws Error with the reason, and ends the
  // process, if it crashed, ended, or exceeds a limit.
  Message receive();

  static constexpr int kSocket = 3;
  static constexpr int kFile = 4;

 private:
  void receive_bytes(char* to, std::size_t count, double deadline);
  void grant_time();
  [[noreturn]] void fail(const std::string& reason);
  std::string reason_of_end();

  void end();

  std::string name_;  // of the file, in complaints
  ConfinedLimits limits_;
  pid_t owner_ = -1;    // who started it: a fork of that must not end it
  pid_t process_ = -1;  // also the number of its group
  int socket_ = -1;
};

}  // namespace longshot
