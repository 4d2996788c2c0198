// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>

#include "running_server.h"

namespace longshot::server_test {

// Asks a server for its health again and again, each time over a new connection, and remembers how
// long it waited.
class HealthWatch {
 public:
  explicit HealthWatch(const RunningServer& server);

  struct Seen {
    int answers = 0;
    int failures = 0;         // no answer, or another than 200
    double slowest_ms = 0.0;  // answer
    double machine_ms = 0.0;  // how late the watch itself woke up at the worst: not the server's
  };
  // Ends the watch.
  Seen end();

 private:
  void watch(const std::stop_token& stop, const RunningServer& server);

  Seen seen_;  // of the thread until that has ended
  std::jthread thread_;
};

}  // namespace longshot::server_test
