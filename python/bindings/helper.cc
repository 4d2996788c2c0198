// SPDX-License-Identifier: Apache-2.0
#include "helper.h"

#include <thread>

#include <unistd.h>

namespace longshot::python {

Helper& Helper::of_this_process() {
  // Never deleted, as its thread may wait until the process ends.
  static Helper* helper = nullptr;
  static pid_t process = 0;
  if (helper == nullptr || process != ::getpid()) {
    helper = new Helper;
    process = ::getpid();
  }
  return *helper;
}

Helper::Helper() {
  std::thread([this] { serve(); }).detach();
}

void Helper::work(const std::function<void()>& work, std::chrono::milliseconds interval,
                  const std::function<void()>& meanwhile) {
  Order order{work};
  std::unique_lock lock(mutex_);
  orders_.push_back(&order);
  ordered_.notify_one();
  while (!order.finished.wait_for(lock, interval, [&] { return order.done; })) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
}

void Helper::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ordered_.wait(lock, [&] { return !orders_.empty(); });
    Order& order = *orders_.front();
    orders_.pop_front();
    lock.unlock();
    order.work();
    lock.lock();
    order.done = true;
    order.finished.notify_one();  // before the lock is let go, after which the order may be gone
  }
}

}  // namespace longshot::python
