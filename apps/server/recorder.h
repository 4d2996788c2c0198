// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "longshot/gallery.h"

namespace longshot::server {

// Writes lines of the audit log for the thread of the network, which must not wait for the disk.
class Recorder {
 public:
  explicit Recorder(Gallery& gallery) : gallery_(gallery), thread_([this] { run(); }) {}
  ~Recorder();  // when all is written
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Of a flood beyond 256 that wait, the rest becomes one line with their number.
  void login_failed(const std::string& peer);

 private:
  void run();
  void write(const std::map<std::string, std::string>& details);

  Gallery& gallery_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> peers_;
  std::size_t others_ = 0;
  bool ending_ = false;
  std::jthread thread_;
};

}  // namespace longshot::server
