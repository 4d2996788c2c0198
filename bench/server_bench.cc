// SPDX-License-Identifier: Apache-2.0
// What HTTP adds to a question: one probe at a time through the server against the library's own
// call, and 32 clients at once against the library's rate for one batch of as many probes.
// usage: longshot_http_bench GALLERY [ROUNDS], for example a gallery of longshot bench --gallery
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "longshot/longshot.h"

#include "application.h"
#include "client.h"
#include "http_server.h"

namespace longshot::server {
namespace {

constexpr int kClients = 32;

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median_seconds(int rounds, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) seconds.push_back(seconds_of(work));
  std::ranges::nth_element(seconds, seconds.begin() + rounds / 2);
  return seconds[static_cast<std::size_t>(rounds / 2)];
}

// Probes of people who do not exist, as PNGs of 7x6.
std::vector<std::string> make_probes() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "longshot-http-bench";
  SyntheticOptions options;
  options.people = kClients;
  options.photos = 1;
  write_synthetic_people(folder, options);
  std::vector<std::string> probes;
  for (const Picture& photo : load({folder}, Purpose::any).pictures) {
    probes.push_back(encode_plane(degrade(photo, {7, 6})));
  }
  std::filesystem::remove_all(folder);
  return probes;
}

Picture picture(const std::string& bytes) {
  Picture probe = Picture::encoded(bytes);
  probe.aligned = true;
  return probe;
}

void run(const std::string& gallery, int rounds) {
  Limits limits;
  limits.requests_per_second = 0.0;
  Service service(gallery, limits);
  Application application(service, {});
  Listening listening;
  listening.port = 0;
  HttpServer http(listening, limits, application);
  std::jthread network([&] { http.run(); });

  const std::vector<std::string> bytes = make_probes();
  std::vector<Picture> probes;
  for (const std::string& one : bytes) probes.push_back(picture(one));
  const auto ask = [&](server_test::Connection& connection, const std::string& body) {
    const server_test::Reply reply = connection.request("POST", "/v1/identify?aligned=true", body,
                                                        {{"content-type", "image/png"}});
    if (reply.status != 200) std::printf("%d %s\n", reply.status, reply.body.c_str());
  };
  service.asker.identify(probes);  // opens what is needed

  const double library = median_seconds(rounds, [&] { service.asker.identify({probes[0]}); });
  server_test::Connection one(http.port());
  const double through = median_seconds(rounds, [&] { ask(one, bytes[0]); });
  std::printf("people %td\n", service.reader.person_count());
  std::printf("one probe: library %.2f ms, HTTP %.2f ms, %.2f ms more\n", 1e3 * library,
              1e3 * through, 1e3 * (through - library));

  const double batch = median_seconds(rounds, [&] { service.asker.identify(probes); });
  const double library_rate = kClients / batch;
  const Batcher::Counts before = service.batcher.counts();
  const double clients = seconds_of([&] {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kClients; ++i) {
      threads.emplace_back([&, i] {
        server_test::Connection own(http.port());
        for (int k = 0; k < rounds; ++k) ask(own, bytes[static_cast<std::size_t>(i)]);
      });
    }
  });
  const double rate = kClients * rounds / clients;
  const Batcher::Counts after = service.batcher.counts();
  std::printf("%d clients: %.0f probes/s, %.1f probes a search; library's batch %.0f probes/s\n",
              kClients, rate,
              static_cast<double>(after.probes - before.probes) /
                  static_cast<double>(after.searches - before.searches),
              library_rate);
  std::printf("ratio %.2f\n", rate / library_rate);
  std::raise(SIGTERM);
}

}  // namespace
}  // namespace longshot::server

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("usage: longshot_http_bench GALLERY [ROUNDS]");
    return 2;
  }
  longshot::server::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 30);
  return 0;
}
