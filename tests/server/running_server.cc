// SPDX-License-Identifier: Apache-2.0
#include "running_server.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "openapi_check.h"

namespace longshot::server_test {
namespace {

Image face(int person, int number) {
  SyntheticPhotoOptions options;
  if (number == 0) options.lighting = frontal_lighting();
  return take_photo(make_person(3, person), options, static_cast<std::uint64_t>(number)).image;
}

// A line of /proc/PID/status in megabytes.
double status_mb(pid_t process, const std::string& name) {
  std::ifstream stream(fmt::format("/proc/{}/status", process));
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) / 1024.0;
  }
  return 0.0;
}

}  // namespace

RunningServer::RunningServer(const std::vector<std::string>& options) : options_(options) {
  start();
}

RunningServer::~RunningServer() {
  if (process_ < 0) return;
  signal(SIGKILL);
  wait();
}

void RunningServer::start() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> words = {LONGSHOT_PROGRAM,   "serve",  "--gallery",
                                    gallery().string(), "--port", "0"};
  words.insert(words.end(), options_.begin(), options_.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::execv(arguments[0], arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  greeting_.clear();
  char bytes[4096];
  // The first lines come at once, when it listens.
  while (greeting_.find('\n') == std::string::npos) {
    const ssize_t got = ::read(ends[0], bytes, sizeof(bytes));
    if (got <= 0) break;
    greeting_.append(bytes, static_cast<std::size_t>(got));
  }
  ::close(ends[0]);
  const std::size_t colon = greeting_.rfind(':');
  if (colon == std::string::npos) return;  // it could not begin
  port_ = static_cast<std::uint16_t>(std::atoi(greeting_.c_str() + colon + 1));
}

Connection RunningServer::connect() const {
  return Connection(port_,
                    [](const std::string& method, const std::string& target, const Reply& reply) {
                      if (reply.status == 0 || reply.headers.contains("content-encoding")) return;
                      EXPECT_EQ(mismatch(method, target, reply), "") << method << " " << target;
                    });
}

Reply RunningServer::request(const std::string& method, const std::string& target,
                             std::string_view body, const Headers& headers) const {
  return connect().request(method, target, body, headers);
}

bool RunningServer::is_healthy() const {
  return request("GET", "/v1/health").status == 200;
}

double RunningServer::resident_mb() const {
  return status_mb(process_, "VmRSS");
}

double RunningServer::peak_mb() const {
  return status_mb(process_, "VmHWM");
}

void RunningServer::signal(int number) const {
  ::kill(process_, number);
}

int RunningServer::wait() {
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  dumped_core_ = WIFSIGNALED(status) && WCOREDUMP(status);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string photo_png(int person, int number) {
  return encode_image(face(person, number), ".png");
}

std::string probe_png(int person) {
  return encode_image(degrade(face(person, 0), {12, 10}), ".png");
}

std::string frame_png() {
  std::vector<Eyes> eyes;
  const std::vector<SyntheticPhoto> faces = {small_portrait(2, 12.0), small_portrait(4, 8.0)};
  return encode_image(side_by_side(faces, 6, eyes).image, ".png");
}

std::string name_of(int person) {
  return fmt::format("person_{}", person);
}

void enroll_people(const RunningServer& server, int count) {
  std::vector<FormFile> files;
  Json options = {{"force", true}, {"photos", Json::array()}};
  for (int i = 0; i < count; ++i) {
    files.push_back({name_of(i) + ".png", photo_png(i)});
    options["photos"].push_back({{"aligned", true}, {"person", name_of(i)}});
  }
  const Reply reply = server.request("POST", "/v1/enroll", form(files, options.dump()),
                                     {{"content-type", kFormType}});
  ASSERT_EQ(reply.status, 200) << reply.body;
  ASSERT_EQ(reply.json()["photos"], count) << reply.body;
}

}  // namespace longshot::server_test
