// SPDX-License-Identifier: Apache-2.0
#include "longshot/door.h"

#include "longshot/core/interrupt.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace door {

std::vector<v0::Rejection> outer(const std::vector<longshot::Rejection>& rejections) {
  std::vector<v0::Rejection> shown;
  for (const longshot::Rejection& one : rejections) shown.push_back({one.path, one.reason});
  return shown;
}

void CallbackProgress::use(const v0::Progress& callback) {
  const std::lock_guard lock(mutex_);
  callback_ = callback;
  task_.clear();
}

void CallbackProgress::look() {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  // It is being told otherwise; before its first task it would not know of what.
  if (lock && !task_.empty()) report();
}

void CallbackProgress::begin(std::string_view task, Index total) {
  const std::lock_guard lock(mutex_);
  task_ = task;
  done_ = 0;
  total_ = total;
  report();
}

void CallbackProgress::advance(Index steps) {
  const std::lock_guard lock(mutex_);
  done_ += steps;
  report();
}

void CallbackProgress::report() {
  if (callback_ && !callback_(task_, done_, total_)) throw Cancelled();
}

}  // namespace door

namespace v0 {

void set_threads(int count) {
  set_thread_count(count);
}

void run_cancellable(const std::function<bool()>& stop, const std::function<void()>& work) {
  const InterruptScope interrupt([&] {
    if (stop()) throw Cancelled();
  });
  work();
}

std::string time_left(std::ptrdiff_t done, std::ptrdiff_t total, double seconds) {
  return longshot::time_left(done, total, seconds);
}

int threads() {
  return thread_count();
}

std::string version() {
  return LONGSHOT_VERSION;
}

}  // namespace v0
}  // namespace longshot
