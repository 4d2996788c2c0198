// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <list>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "longshot/gallery.h"

namespace longshot::server {

// Questions of several clients that wait at the same moment become one search, which costs far less
// than one for each: while one search runs, those that come wait for the next.
class Batcher {
 public:
  struct Counts {
    std::int64_t searches = 0;
    std::int64_t probes = 0;
  };

  explicit Batcher(Gallery& gallery) : gallery_(gallery) {}

  // As Gallery::identify. Only questions with equal options of one actor are joined, as the audit
  // log has one line for a search; a camera is equal if its name is, and one that is learnt from
  // its probes, or a fused answer, is never joined.
  Answers identify(const std::vector<Picture>& probes, const IdentifyOptions& options,
                   const std::string& camera, const std::string& actor);
  Counts counts() const;

 private:
  struct Question {
    const std::vector<Picture>& probes;
    const IdentifyOptions& options;
    std::string key;
    bool taken = false;
    bool done = false;
    Answers answers = {};
    std::exception_ptr error = {};
  };

  void run(const std::string& key, std::unique_lock<std::mutex>& lock);

  Gallery& gallery_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Question*> waiting_;   // in the order in which they came
  std::set<std::string> running_;  // keys of the searches
  Counts counts_;
};

}  // namespace longshot::server
