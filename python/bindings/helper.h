// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace longshot::python {

// A thread that works for others. It lives as long as the process: libraries keep some memory for
// every thread that ever used them, so one thread per call would make a process grow.
class Helper {
 public:
  // With the GIL. A forked child, which has no thread but its own, gets another one.
  static Helper& of_this_process();

  // Runs `work`, which must not throw, after that of those who asked before, and calls `meanwhile`
  // in this thread once per interval until it is done.
  void work(const std::function<void()>& work, std::chrono::milliseconds interval,
            const std::function<void()>& meanwhile);

 private:
  struct Order {
    const std::function<void()>& work;
    bool done = false;
    std::condition_variable finished = {};
  };

  Helper();
  [[noreturn]] void serve();

  std::mutex mutex_;
  std::condition_variable ordered_;
  std::deque<Order*> orders_;
};

}  // namespace longshot::python
