// SPDX-License-Identifier: Apache-2.0
#include "health_watch.h"

#include <algorithm>
#include <chrono>

namespace longshot::server_test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(5);

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

HealthWatch::HealthWatch(const RunningServer& server)
    : thread_([this, &server](const std::stop_token& stop) { watch(stop, server); }) {}

void HealthWatch::watch(const std::stop_token& stop, const RunningServer& server) {
  while (!stop.stop_requested()) {
    const Clock::time_point asleep = Clock::now();
    std::this_thread::sleep_for(kPause);
    const Clock::time_point awake = Clock::now();
    const double late = std::chrono::duration<double, std::milli>(awake - asleep - kPause).count();
    const bool healthy = server.is_healthy();
    seen_.slowest_ms = std::max(seen_.slowest_ms, ms_since(awake));
    seen_.machine_ms = std::max(seen_.machine_ms, late);
    ++(healthy ? seen_.answers : seen_.failures);
  }
}

HealthWatch::Seen HealthWatch::end() {
  thread_.request_stop();
  thread_.join();
  return seen_;
}

}  // namespace longshot::server_test
