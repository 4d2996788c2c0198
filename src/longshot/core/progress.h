// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "longshot/core/matrix.h"

namespace longshot {

// How long work reports itself. The library never prints: an application passes a sink.
// advance() may be called from any thread and is the cancellation point: a sink throws Cancelled
// there after the user asked to stop.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void begin(std::string_view task, Index total) = 0;
  virtual void advance(Index steps) = 0;
  virtual void end() = 0;
};

// Reports nothing; the default wherever a Progress is expected.
Progress& no_progress();

// begin() now, end() when the scope is left, also by an exception.
class ProgressScope {
 public:
  ProgressScope(Progress& progress, std::string_view task, Index total);
  ~ProgressScope();
  ProgressScope(const ProgressScope&) = delete;
  ProgressScope& operator=(const ProgressScope&) = delete;
  void advance(Index steps = 1) { progress_.advance(steps); }

 private:
  Progress& progress_;
};

// "1m 05s left" style text for a task that has done `done` of `total` steps in `seconds`.
std::string time_left(Index done, Index total, double seconds);

}  // namespace longshot
