// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <map>
#include <mutex>
#include <string>

namespace longshot::server {

// So many requests a second of each client, and at once those of two seconds.
class RateLimit {
 public:
  using Clock = std::chrono::steady_clock;

  explicit RateLimit(double per_second) : per_second_(per_second) {}

  // False if this one is too many. `per_second` 0 allows any number.
  bool allows(const std::string& client, Clock::time_point now = Clock::now());

 private:
  struct Bucket {
    double left;
    Clock::time_point at;
  };

  double per_second_;
  std::mutex mutex_;
  std::map<std::string, Bucket> buckets_;  // of clients that asked lately
};

}  // namespace longshot::server
