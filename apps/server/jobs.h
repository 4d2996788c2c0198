// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "longshot/options.h"

#include "json.h"

namespace longshot::server {

// Long work that clients look after instead of waiting: one at a time, in the order of asking.
class Jobs {
 public:
  // Does the work, tells its progress and stops if that returns false; gives the result.
  using Work = std::function<Json(const Progress& progress)>;

  Jobs();
  ~Jobs();  // cancels what runs, and waits for that
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  // Returns the document of the new job. Throws Problem 503 if too many wait.
  Json start(const std::string& kind, Work work);
  // These throw Problem 404 if there is no such job, or no longer: the last 64 are remembered.
  Json document(const std::string& id) const;
  // What has ended stays as it is.
  Json cancel(const std::string& id);
  // Server-sent events: "progress" with the document whenever it changes, at last "end".
  std::function<std::optional<std::string>()> events(const std::string& id) const;

 private:
  struct Job;

  std::shared_ptr<Job> find(const std::string& id) const;
  void run();
  void run_one(Job& job);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> jobs_;  // the oldest first
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace longshot::server
