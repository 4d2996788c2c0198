// SPDX-License-Identifier: Apache-2.0
// More than the server can do: it says so at once, and goes on with the rest.
#include <chrono>
#include <csignal>
#include <semaphore>
#include <thread>

#include <gtest/gtest.h>

#include "http_server.h"
#include "openapi_check.h"
#include "running_server.h"

namespace longshot::server_test {
namespace {

TEST(Overload, ConnectionsBeyondTheLimitAreToldToComeBack) {
  const RunningServer server({"--max-connections", "4"});
  std::vector<Connection> held;
  for (int i = 0; i < 4; ++i) {
    held.push_back(server.connect());
    EXPECT_EQ(held.back().request("GET", "/v1/health").status, 200);
  }
  const Reply refused = server.connect().receive();
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_EQ(refused.json()["code"], "overloaded");
  EXPECT_EQ(mismatch("GET /v1/people", refused), "");
  EXPECT_EQ(held[0].request("GET", "/v1/health").status, 200);
}

// Answers "/quick" at once and everything else when it is let go.
class SlowHandler final : public server::Handler {
 public:
  std::optional<server::Response> refuse(server::Request&) override { return std::nullopt; }
  bool at_once(const server::Request& head) const override { return head.path == "/quick"; }
  server::Response handle(const server::Request& request) override {
    if (request.path != "/quick") {
      begun.release();
      let_go.acquire();
    }
    return {200, "text/plain", "done"};
  }
  server::Response refusal(int status, std::string_view code, std::string_view) const override {
    return {status, "text/plain", std::string(code)};
  }

  std::counting_semaphore<> begun{0};
  std::counting_semaphore<> let_go{0};
};

TEST(Overload, RequestsBeyondThoseThatMayWaitAreToldToComeBack) {
  server::Limits limits;
  limits.threads = 1;
  limits.waiting = 1;
  server::Listening listening;
  listening.port = 0;
  SlowHandler handler;
  server::HttpServer server(listening, limits, handler);
  std::jthread network([&] { server.run(); });
  const std::string slow = request_text("GET", "/slow");
  Connection running(server.port());
  running.send(slow);
  handler.begun.acquire();
  Connection waiting(server.port());
  waiting.send(slow);
  while (server.traffic().waiting < 1) std::this_thread::yield();

  Connection other(server.port());
  const Reply refused = other.request("GET", "/slow");
  EXPECT_EQ(refused.status, 503);
  EXPECT_EQ(refused.body, "overloaded");
  EXPECT_EQ(refused.headers.at("retry-after"), "1");
  EXPECT_EQ(other.request("GET", "/quick").status, 200);

  handler.let_go.release(2);
  EXPECT_EQ(running.receive().status, 200);
  EXPECT_EQ(waiting.receive().status, 200);
  std::raise(SIGTERM);
}

}  // namespace
}  // namespace longshot::server_test
