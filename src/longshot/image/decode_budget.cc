// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/decode_budget.h"

#include <ctime>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// Of this thread: a busy machine must not make a good photo a bad one.
double processor_seconds() {
  std::timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

DecodeBudget::DecodeBudget(std::string_view name, std::int64_t max_memory, double max_seconds)
    : name_(name),
      max_memory_(max_memory),
      max_seconds_(max_seconds),
      start_(processor_seconds()) {}

void DecodeBudget::take(std::int64_t bytes) {
  if (bytes > left()) refuse_memory();
  taken_ += bytes;
}

void DecodeBudget::check_time() const {
  if (processor_seconds() - start_ > max_seconds_) {
    throw Error("Cannot read {}: decoding it takes longer than the limit of {} seconds.", name_,
                max_seconds_);
  }
}

void DecodeBudget::refuse_memory() const {
  throw Error("Cannot read {}: decoding it takes more memory than the limit of {} MB.", name_,
              max_memory_ >> 20);
}

void DecodeBudget::refuse_damage() const {
  throw Error("Cannot read {}: the image data is damaged or cut short.", name_);
}

}  // namespace longshot
