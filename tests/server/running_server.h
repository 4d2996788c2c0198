// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

#include "client.h"
#include "run_program.h"

namespace longshot::server_test {

// The real program, on a port of its own, over a gallery in a folder of its own.
class RunningServer {
 public:
  explicit RunningServer(const std::vector<std::string>& options = {});
  ~RunningServer();  // by force
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  std::uint16_t port() const { return port_; }
  const std::string& greeting() const { return greeting_; }  // what it printed
  // Fails the test for a reply that openapi.json does not describe.
  Connection connect() const;
  // Over a connection of its own.
  Reply request(const std::string& method, const std::string& target, std::string_view body = {},
                const Headers& headers = {}) const;
  bool is_healthy() const;
  double resident_mb() const;
  double peak_mb() const;
  void signal(int number) const;
  // Waits for its end: the exit code, or -1 for a signal.
  int wait();
  bool dumped_core() const { return dumped_core_; }  // when it ended
  void start();                                      // again, over the same gallery

  std::filesystem::path gallery() const { return folder_ / "people.gallery"; }
  std::filesystem::path folder() const { return folder_.path(); }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }

 private:
  ScratchFolder folder_;
  std::vector<std::string> options_;
  pid_t process_ = -1;
  bool dumped_core_ = false;
  std::uint16_t port_ = 0;
  std::string greeting_;
};

// PNGs of synthetic people: a photo of 48x40, and a probe of 12x10 of the same moment.
std::string photo_png(int person, int number = 0);
std::string probe_png(int person);
std::string frame_png();          // two faces side by side
std::string name_of(int person);  // "person_3"

// Enrols the first `count` people, as crops.
void enroll_people(const RunningServer& server, int count);

}  // namespace longshot::server_test
