// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>

namespace longshot::cli {

// How long a phase will still take, by its speed in the second half of the time so far: the first
// steps load and learn what the others only use. Where that half has seen a step or two of many, as
// when steps are done many at a time, by the speed of all.
class PhaseEstimate {
 public:
  // Steps done after so many seconds; both never fall.
  void add(std::ptrdiff_t done, double seconds) {
    if (!samples_.empty() && seconds - samples_.back().seconds < kBetween) return;
    samples_.push_back({done, seconds});
    while (samples_.size() > 2 && samples_[1].seconds <= seconds / 2) samples_.pop_front();
  }

  // Seconds left of so many steps; negative while nothing can be said.
  double left(std::ptrdiff_t total) const {
    if (samples_.size() < 2) return -1.0;
    const Sample& to = samples_.back();
    Sample from = samples_.front();
    if (to.done <= from.done || total < to.done) return -1.0;
    if (to.done - from.done < kFew) from = {};
    return (to.seconds - from.seconds) * static_cast<double>(total - to.done) /
           static_cast<double>(to.done - from.done);
  }

 private:
  static constexpr double kBetween = 0.25;   // seconds between samples
  static constexpr std::ptrdiff_t kFew = 3;  // steps
  struct Sample {
    std::ptrdiff_t done = 0;
    double seconds = 0.0;
  };
  std::deque<Sample> samples_;  // from about half of the time on
};

}  // namespace longshot::cli
