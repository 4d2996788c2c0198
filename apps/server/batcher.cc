// SPDX-License-Identifier: Apache-2.0
#include "batcher.h"

#include <algorithm>

#include <fmt/format.h>

namespace longshot::server {
namespace {

constexpr std::size_t kLargestBatch = 2048;  // probes

std::string key_of(const IdentifyOptions& options, const std::string& camera,
                   const std::string& actor) {
  return fmt::format("{}|{}|{}|{}|{}|{}", options.method,
                     options.size ? to_string(*options.size) : "", options.top, options.fpir,
                     camera, actor);
}

}  // namespace

Answers Batcher::identify(const std::vector<Picture>& probes, const IdentifyOptions& options,
                          const std::string& camera, const std::string& actor) {
  if (options.learn_camera || options.fuse_folders) {
    Answers answers = gallery_.identify(probes, options);
    const std::lock_guard lock(mutex_);
    ++counts_.searches;
    counts_.probes += static_cast<std::int64_t>(probes.size());
    return answers;
  }
  Question own{probes, options, key_of(options, camera, actor)};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  while (!own.done) {
    if (!own.taken && !running_.contains(own.key)) {
      run(own.key, lock);
    } else {
      changed_.wait(lock);
    }
  }
  lock.unlock();
  if (own.error) std::rethrow_exception(own.error);
  return std::move(own.answers);
}

// Searches for the first of those who wait with that key, and for as many others as fit.
void Batcher::run(const std::string& key, std::unique_lock<std::mutex>& lock) {
  std::vector<Question*> batch;
  std::vector<Picture> probes;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    Question& one = **at;
    const bool fits = batch.empty() || probes.size() + one.probes.size() <= kLargestBatch;
    if (one.key != key || !fits) {
      ++at;
      continue;
    }
    one.taken = true;
    batch.push_back(&one);
    probes.insert(probes.end(), one.probes.begin(), one.probes.end());
    at = waiting_.erase(at);
  }
  running_.insert(key);
  ++counts_.searches;
  counts_.probes += static_cast<std::int64_t>(probes.size());
  lock.unlock();

  Answers answers;
  std::exception_ptr error;
  try {
    answers = gallery_.identify(probes, batch.front()->options);
  } catch (...) {
    error = std::current_exception();
  }

  lock.lock();
  auto next = answers.answers.begin();
  for (Question* const one : batch) {
    one->error = error;
    if (!error) {
      const auto end = next + static_cast<std::ptrdiff_t>(one->probes.size());
      one->answers.answers.assign(std::make_move_iterator(next), std::make_move_iterator(end));
      one->answers.cameras = answers.cameras;
      next = end;
    }
    one->done = true;
  }
  running_.erase(key);
  changed_.notify_all();
}

Batcher::Counts Batcher::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace longshot::server
