// SPDX-License-Identifier: Apache-2.0
// What HTTP adds to a question: one probe at a time through the server against the library's own
// call, and 32 clients at once against the library's rates for batches of as many probes and of
// 960. REQUESTS more of these clients show whether the memory stays as it is. On a machine with
// other work, `chrt -r 1` before it lets its threads come at once, as on an idle one.
//
// usage: longshot_http_bench GALLERY [ROUNDS [REQUESTS]], with a gallery of longshot bench
// --gallery
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
constexpr std::size_t kLargeBatch = 960;  // probes, as longshot bench has them

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
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

void ask(server_test::Connection& connection, const std::string& body) {
  const server_test::Reply reply = connection.request("POST", "/v1/identify?aligned=true", body,
                                                      {{"content-type", "image/png"}});
  if (reply.status != 200) std::printf("%d %s\n", reply.status, reply.body.c_str());
}

// As many clients as there are probes, each with so many questions; returns the seconds.
double ask_together(std::uint16_t port, const std::vector<std::string>& probes, int each) {
  return seconds_of([&] {
    std::vector<std::jthread> threads;
    for (const std::string& probe : probes) {
      threads.emplace_back([port, each, &probe] {
        server_test::Connection own(port);
        for (int k = 0; k < each; ++k) ask(own, probe);
      });
    }
  });
}

void measure_one(Service& service, std::uint16_t port, const std::string& bytes, int rounds) {
  const Picture probe = picture(bytes);
  server_test::Connection connection(port);
  // In turn, so that what else the machine does slows down both.
  std::vector<double> library;
  std::vector<double> through;
  for (int i = 0; i < rounds; ++i) {
    library.push_back(seconds_of([&] { service.asker.identify({probe}); }));
    through.push_back(seconds_of([&] { ask(connection, bytes); }));
  }
  const double inside = median(library);
  const double outside = median(through);
  std::printf("one probe: library %.2f ms, HTTP %.2f ms, %.2f ms more\n", 1e3 * inside,
              1e3 * outside, 1e3 * (outside - inside));
}

// Probes a second of the library, asked for so many at once.
double library_rate(Service& service, const std::vector<std::string>& bytes, std::size_t batch,
                    int rounds) {
  std::vector<Picture> probes;
  for (std::size_t i = 0; i < batch; ++i) probes.push_back(picture(bytes[i % bytes.size()]));
  const double seconds = seconds_of([&] {
    for (int i = 0; i < rounds; ++i) service.asker.identify(probes);
  });
  return static_cast<double>(batch) * rounds / seconds;
}

void measure_many(Service& service, std::uint16_t port, const std::vector<std::string>& bytes,
                  int rounds) {
  const double same = library_rate(service, bytes, kClients, rounds);
  const Batcher::Counts before = service.batcher.counts();
  const double rate = kClients * rounds / ask_together(port, bytes, rounds);
  const Batcher::Counts after = service.batcher.counts();
  const double large = library_rate(service, bytes, kLargeBatch, 1);
  std::printf("%d clients: %.0f probes/s, %.1f probes a search\n", kClients, rate,
              static_cast<double>(after.probes - before.probes) /
                  static_cast<double>(after.searches - before.searches));
  std::printf(
      "library's batches: of %d %.0f probes/s, ratio %.2f; of %zu %.0f probes/s, ratio %.2f\n",
      kClients, same, rate / same, kLargeBatch, large, rate / large);
}

void measure_memory(std::uint16_t port, const std::vector<std::string>& bytes, int requests) {
  constexpr int kParts = 5;
  std::printf("MB after %d requests each:", requests / kParts);
  for (int part = 0; part < kParts; ++part) {
    ask_together(port, bytes, requests / kParts / kClients);
    std::printf(" %.1f", resident_bytes() / 1e6);
    std::fflush(stdout);
  }
  std::printf("\n");
}

void run(const std::string& gallery, int rounds, int requests) {
  Limits limits;
  limits.requests_per_second = 0.0;
  Service service(open_galleries(gallery), limits);
  Application application(service, {});
  Listening listening;
  listening.port = 0;
  HttpServer http(listening, limits, application);
  std::jthread network([&] { http.run(); });

  const std::vector<std::string> probes = make_probes();
  service.asker.identify({picture(probes[0])});  // opens what is needed
  std::printf("people %td\n", service.reader.person_count());
  measure_one(service, http.port(), probes[0], rounds);
  measure_many(service, http.port(), probes, rounds);
  if (requests > 0) measure_memory(http.port(), probes, requests);
  std::raise(SIGTERM);
}

}  // namespace
}  // namespace longshot::server

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("usage: longshot_http_bench GALLERY [ROUNDS [REQUESTS]]");
    return 2;
  }
  longshot::server::run(argv[1], argc > 2 ? std::atoi(argv[2]) : 30,
                        argc > 3 ? std::atoi(argv[3]) : 0);
  return 0;
}
