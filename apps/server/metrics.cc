// SPDX-License-Identifier: Apache-2.0
#include "metrics.h"

#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace longshot::server {

void Metrics::request(const std::string& route, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  Times& times = requests_[{route, status}];
  ++times.count;
  times.seconds += seconds;
}

void Metrics::add(const std::string& counter, std::int64_t amount) {
  const std::lock_guard lock(mutex_);
  counters_[counter] += amount;
}

std::string Metrics::text(const std::map<std::string, double>& gauges) const {
  const std::lock_guard lock(mutex_);
  std::string text = "# TYPE longshot_request_seconds summary\n";
  for (const auto& [key, times] : requests_) {
    const std::size_t space = key.first.find(' ');
    const std::string labels =
        fmt::format("{{method=\"{}\",route=\"{}\",status=\"{}\"}}", key.first.substr(0, space),
                    key.first.substr(space + 1), key.second);
    text += fmt::format("longshot_request_seconds_sum{} {}\n", labels, times.seconds);
    text += fmt::format("longshot_request_seconds_count{} {}\n", labels, times.count);
  }
  for (const auto& [name, amount] : counters_) {
    text += fmt::format("# TYPE {} counter\n{} {}\n", name, name, amount);
  }
  for (const auto& [name, value] : gauges) {
    text += fmt::format("# TYPE {} gauge\n{} {}\n", name, name, value);
  }
  return text;
}

double resident_bytes() {
  std::ifstream stream("/proc/self/statm");
  double all = 0.0;
  double resident = 0.0;
  stream >> all >> resident;
  return resident * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

}  // namespace longshot::server
