// SPDX-License-Identifier: Apache-2.0
// Many clients at once, and ends of all kinds.
#include <atomic>
#include <csignal>
#include <semaphore>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "running_server.h"

namespace longshot::server_test {
namespace {

const Headers kImage = {{"content-type", "image/png"}};
const std::string kQuick = "/v1/identify?method=subspace&aligned=true";

std::string enroll_target(int person) {
  return "/v1/people?force=true&aligned=true&person=" + name_of(person);
}

double metric(const RunningServer& server, const std::string& name) {
  const std::string text = server.request("GET", "/metrics").body;
  const std::size_t at = text.find("\n" + name + " ");
  return at == std::string::npos ? -1.0 : std::stod(text.substr(at + name.size() + 2));
}

TEST(Together, NobodyIsNamedWhoseRemovalHadReturned) {
  const RunningServer server({"--rate", "0"});
  enroll_people(server, 4);
  ASSERT_EQ(server.request("POST", kQuick, probe_png(1), kImage).status, 200);
  const std::string probe = probe_png(1);
  std::atomic<bool> gone = false;
  std::atomic<int> named = 0;
  std::atomic<int> asked_after = 0;
  std::atomic<int> failed = 0;
  std::vector<std::jthread> clients;
  for (int t = 0; t < 16; ++t) {
    clients.emplace_back([&] {
      Connection connection = server.connect();
      // Some questions before, some meanwhile, and four of each client after.
      for (int after = 0; after < 4;) {
        const bool was_gone = gone;
        if (was_gone) ++after;
        const Reply reply = connection.request("POST", kQuick, probe, kImage);
        if (reply.status != 200) ++failed;
        if (!was_gone) continue;
        ++asked_after;
        if (reply.body.find("person_1\"") != std::string::npos) ++named;
      }
    });
  }
  EXPECT_EQ(server.request("DELETE", "/v1/people/person_1").status, 200);
  gone = true;
  clients.clear();
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(asked_after, 64);
  EXPECT_EQ(named, 0);
  EXPECT_EQ(server.request("POST", kQuick, probe, kImage).body.find("person_1\""),
            std::string::npos);
}

TEST(Together, QuestionsThatWaitAreAskedAtOnce) {
  const RunningServer server({"--rate", "0"});
  enroll_people(server, 4);
  std::vector<std::jthread> clients;
  std::atomic<int> right = 0;
  for (int t = 0; t < 12; ++t) {
    clients.emplace_back([&, t] {
      const Reply reply = server.request("POST", kQuick, probe_png(t % 4), kImage);
      const Json first = reply.json()["probes"][0]["candidates"][0]["person"];
      if (first == name_of(t % 4)) ++right;
    });
  }
  clients.clear();
  EXPECT_EQ(right, 12);
  EXPECT_EQ(metric(server, "longshot_probes_searched"), 12);
  // The first search learns what it needs, so most of the others wait for it.
  EXPECT_LT(metric(server, "longshot_searches"), 12);
}

TEST(Together, WhatWasAnsweredWith201IsThereAfterAKill) {
  RunningServer server({"--rate", "0"});
  std::set<std::string> acknowledged;
  {
    std::binary_semaphore some(0);
    std::jthread client([&] {
      Connection connection = server.connect();
      for (int i = 0; i < 500; ++i) {
        const Reply reply = connection.request("POST", enroll_target(i), photo_png(i), kImage);
        if (reply.status != 201) break;
        acknowledged.insert(name_of(i));
        if (acknowledged.size() == 5) some.release();
      }
      if (acknowledged.size() < 5) some.release();
    });
    some.acquire();
    server.signal(SIGKILL);
  }
  server.wait();
  server.start();
  std::set<std::string> enrolled;
  const Json people = server.request("GET", "/v1/people").json();
  for (const Json& person : people["people"]) enrolled.insert(person["name"].get<std::string>());
  EXPECT_GE(acknowledged.size(), 5U);
  EXPECT_THAT(enrolled, testing::IsSupersetOf(acknowledged));
}

TEST(Together, AskedToEndItFinishesWhatItDoes) {
  RunningServer server({"--rate", "0"});
  enroll_people(server, 4);
  Connection idle = server.connect();
  ASSERT_EQ(idle.request("GET", "/v1/health").status, 200);
  Connection asking = server.connect();
  // The default method learns for a while at first.
  asking.send(request_text("POST", "/v1/identify?aligned=true", probe_png(2), kImage));
  while (metric(server, "longshot_searches") < 1) std::this_thread::yield();
  server.signal(SIGTERM);
  const Reply reply = asking.receive();
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_EQ(reply.headers.at("connection"), "close");
  EXPECT_EQ(idle.receive_some(), "");
  EXPECT_EQ(server.wait(), 0);
}

TEST(Together, MemoryStaysFlat) {
  const RunningServer server({"--rate", "0"});
  enroll_people(server, 3);
  Connection connection = server.connect();
  const std::string probe = probe_png(1);
  const auto ask = [&](int times) {
    for (int i = 0; i < times; ++i) {
      ASSERT_EQ(connection.request("POST", kQuick, probe, kImage).status, 200);
    }
  };
  ask(200);
  const double before = server.resident_mb();
  ask(400);
  EXPECT_LT(server.resident_mb(), before + 20.0);
}

}  // namespace
}  // namespace longshot::server_test
