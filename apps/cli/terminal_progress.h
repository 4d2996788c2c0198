// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "longshot/options.h"

#include "phase_estimate.h"

namespace longshot::cli {

// Shows the progress of one call on stderr, phase by phase: a bar with the time left on a terminal,
// plain lines every few seconds otherwise, nothing if quiet. Cancels the call after Ctrl-C. The
// bars of phases that are over stay, with the time that they took; the last goes with the object.
class TerminalProgress {
 public:
  explicit TerminalProgress(bool quiet);
  ~TerminalProgress();
  TerminalProgress(const TerminalProgress&) = delete;
  TerminalProgress& operator=(const TerminalProgress&) = delete;

  // To be called by one thread at a time, while this object lives.
  v0::Progress callback();

 private:
  using Clock = std::chrono::steady_clock;

  bool show(std::string_view task, std::ptrdiff_t done, std::ptrdiff_t total);
  void begin_phase(std::string_view task);
  double seconds_so_far() const;
  void clear();

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string task_;
  std::ptrdiff_t done_ = 0;
  PhaseEstimate estimate_;
  Clock::time_point started_;
  Clock::time_point shown_;
};

// Lets the first Ctrl-C (SIGINT) or SIGTERM end the work cleanly; a second one ends the program.
void catch_interrupts();

}  // namespace longshot::cli
