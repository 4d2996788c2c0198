// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace longshot::server {

// What was counted since the start, for Prometheus.
class Metrics {
 public:
  // A request that was answered: which route ("GET /v1/people"), how, and how long it took.
  void request(const std::string& route, int status, double seconds);
  // Adds to a counter of its own, such as "longshot_probes_total".
  void add(const std::string& counter, std::int64_t amount = 1);

  // The text format, with gauges of the moment added by the caller.
  std::string text(const std::map<std::string, double>& gauges) const;

 private:
  struct Times {
    std::int64_t count = 0;
    double seconds = 0.0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, Times> requests_;
  std::map<std::string, std::int64_t> counters_;
};

// Bytes of memory that the process has now.
double resident_bytes();

}  // namespace longshot::server
