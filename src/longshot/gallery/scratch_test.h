// SPDX-License-Identifier: Apache-2.0
#pragma once

// For the tests of the gallery: a folder of their own, made-up photos, other processes.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/random.h"
#include "longshot/gallery/content_hash.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

class ScratchTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("longshot-{}-{}-{}", ::getpid(), test->test_suite_name(), test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ / "people.gallery";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
  std::filesystem::path path_;
};

// The sentence of the Error that the call throws, "" if it throws none.
inline std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// A face of noise, 12x10, and its hash.
inline Photo noise_photo(std::uint64_t seed) {
  Random random(seed);
  Photo photo;
  photo.rows = 12;
  photo.cols = 10;
  photo.pixels.resize(120);
  std::ranges::generate(photo.pixels, [&] { return static_cast<std::uint8_t>(random.below(256)); });
  photo.source = fmt::format("photos/{}.jpg", seed);
  photo.content_hash = content_hash({reinterpret_cast<const char*>(photo.pixels.data()), 120});
  return photo;
}

// Another process that runs the call and sends back what it writes to the descriptor, or throws.
class Child {
 public:
  explicit Child(const std::function<void(int)>& call) {
    int ends[2] = {-1, -1};
    if (::pipe(ends) != 0) throw Error("No pipe.");
    process_ = ::fork();
    if (process_ < 0) throw Error("No process.");
    if (process_ == 0) {
      ::close(ends[0]);
      const std::string message = message_of([&] { call(ends[1]); });
      send(ends[1], message);
      ::_exit(0);
    }
    ::close(ends[1]);
    reading_ = ends[0];
  }
  ~Child() {
    if (process_ > 0) kill();
    ::close(reading_);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  static void send(int descriptor, std::string_view text) {
    if (::write(descriptor, text.data(), text.size()) < 0) ::_exit(1);
  }
  // Everything that it sent until it ended.
  std::string received() {
    while (receive()) {
    }
    wait();
    return received_;
  }
  // Waits until it has sent the text, or ended.
  void wait_for(std::string_view text) {
    while (received_.find(text) == std::string::npos && receive()) {
    }
  }
  void kill() {
    ::kill(process_, SIGKILL);
    wait();
  }

 private:
  // False when there is no more.
  bool receive() {
    char piece[4096];
    const ssize_t got = ::read(reading_, piece, sizeof(piece));
    if (got > 0) received_.append(piece, static_cast<std::size_t>(got));
    return got > 0;
  }
  void wait() {
    if (process_ > 0) ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  pid_t process_ = -1;
  int reading_ = -1;
  std::string received_;
};

}  // namespace longshot
