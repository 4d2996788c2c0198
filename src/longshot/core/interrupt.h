// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>

namespace longshot {

// While one lives, the loops that its thread starts (parallel.h), and those inside them, call
// `look` before their blocks: from any thread, at most once in 50 ms. It stops them by throwing
// Cancelled. So long work can be stopped between the steps of its progress too.
class InterruptScope {
 public:
  explicit InterruptScope(std::function<void()> look);
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  // For the loops: the one of this thread, or nothing.
  static InterruptScope* current();
  void poll();

  // Makes the scope of a loop that of the thread that runs a block of it.
  class Inherit {
   public:
    explicit Inherit(InterruptScope* scope);
    ~Inherit();
    Inherit(const Inherit&) = delete;
    Inherit& operator=(const Inherit&) = delete;

   private:
    InterruptScope* before_;
  };

 private:
  std::function<void()> look_;
  std::atomic<std::int64_t> next_;  // when to look again, nanoseconds of the steady clock
  // After the first that was stopped, all are: oneTBB lets other threads finish what they have.
  std::atomic<bool> stopped_ = false;
  Inherit own_;
};

// For long work outside of such loops: looks as they do.
void look_for_interrupt();

}  // namespace longshot
