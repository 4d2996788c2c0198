// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/interrupt.h"

#include <chrono>
#include <utility>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr std::int64_t kBetweenLooks = 50'000'000;  // nanoseconds

thread_local InterruptScope* scope_of_thread = nullptr;

std::int64_t nanoseconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

InterruptScope::InterruptScope(std::function<void()> look)
    : look_(std::move(look)), next_(nanoseconds() + kBetweenLooks), own_(this) {}
InterruptScope::~InterruptScope() = default;

InterruptScope* InterruptScope::current() {
  return scope_of_thread;
}

void InterruptScope::poll() {
  if (stopped_.load(std::memory_order_relaxed)) throw Cancelled();
  const std::int64_t now = nanoseconds();
  std::int64_t due = next_.load(std::memory_order_relaxed);
  // Of the threads that are late, one looks.
  if (now < due || !next_.compare_exchange_strong(due, now + kBetweenLooks)) return;
  try {
    look_();
  } catch (...) {
    stopped_ = true;
    throw;
  }
}

void look_for_interrupt() {
  if (scope_of_thread != nullptr) scope_of_thread->poll();
}

InterruptScope::Inherit::Inherit(InterruptScope* scope)
    : before_(std::exchange(scope_of_thread, scope)) {}
InterruptScope::Inherit::~Inherit() {
  scope_of_thread = before_;
}

}  // namespace longshot
