// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace longshot {

// What one image may cost while it is decoded. Asked before memory is taken, and after every row or
// pass, so that a small file can neither fill the memory nor decode for ever.
class DecodeBudget {
 public:
  DecodeBudget(std::string_view name, std::int64_t max_memory, double max_seconds);

  // Counts bytes that are about to be taken; throws Error if that is too much in all.
  void take(std::int64_t bytes);
  std::int64_t left() const { return max_memory_ - taken_; }
  // Throws Error if the time is over.
  void check_time() const;

  [[noreturn]] void refuse_memory() const;
  // "Cannot read x: the image data is damaged or cut short."
  [[noreturn]] void refuse_damage() const;

 private:
  std::string name_;
  std::int64_t max_memory_;
  double max_seconds_;
  double start_;  // processor time of the thread, seconds
  std::int64_t taken_ = 0;
};

}  // namespace longshot
