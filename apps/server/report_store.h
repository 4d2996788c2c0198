// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "longshot/gallery.h"

namespace longshot::server {

// What a report of one question needs.
struct Asked {
  std::vector<Picture> probes;
  std::size_t bytes = 0;   // of their files
  std::size_t pixels = 0;  // of the largest of them
  IdentifyOptions options;
  Answers answers;
  EvidenceText text;
  std::map<std::pair<std::size_t, std::string>, Mark> marks = {};  // by answer and person

  // By its number, from 0. Throws Problem 400 if there is none of that number.
  const Answer& answer(double number) const;
};

// The questions of late, in memory alone: the last 64, as far as their files take 32 MB.
class ReportStore {
 public:
  // The id under which it is kept; empty for what is too large.
  std::string keep(Asked asked);
  // These throw Problem 404 for what is not kept, or no longer.
  Asked find(const std::string& id) const;
  void mark(const std::string& id, const std::vector<std::pair<std::size_t, Mark>>& marks);
  // Forgets whatever names that person.
  void forget(const std::string& person);

 private:
  std::deque<std::pair<std::string, Asked>>::const_iterator at(const std::string& id) const;

  mutable std::mutex mutex_;
  std::deque<std::pair<std::string, Asked>> kept_;  // the oldest first
  std::size_t bytes_ = 0;
};

}  // namespace longshot::server
