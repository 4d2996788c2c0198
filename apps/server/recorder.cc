// SPDX-License-Identifier: Apache-2.0
#include "recorder.h"

#include <utility>

namespace longshot::server {
namespace {

constexpr std::size_t kMostWaiting = 256;

}  // namespace

Recorder::~Recorder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
}

void Recorder::login_failed(const std::string& peer) {
  {
    const std::lock_guard lock(mutex_);
    if (peers_.size() < kMostWaiting) {
      peers_.push_back(peer);
    } else {
      ++others_;
    }
  }
  changed_.notify_all();
}

void Recorder::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !peers_.empty(); });
    if (peers_.empty()) return;
    const std::string peer = std::move(peers_.front());
    peers_.pop_front();
    const std::size_t others = peers_.empty() ? std::exchange(others_, 0) : 0;
    lock.unlock();
    write({{"address", peer}});
    if (others > 0) write({{"further", std::to_string(others)}});
    lock.lock();
  }
}

void Recorder::write(const std::map<std::string, std::string>& details) {
  try {
    gallery_.record("login failure", details);
  } catch (const Error&) {
    // Refused all the same; whatever needs the log meanwhile says that it cannot be written.
  }
}

}  // namespace longshot::server
