// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "longshot/shards.h"

#include "cli/key_options.h"
#include "job.h"
#include "supervise.h"

namespace longshot::mpi {

struct ShardJobOptions {
  std::filesystem::path folder;
  Access access = Access::write_if_possible;
  bool allow_partial = false;  // goes on without shards that cannot be opened
  cli::KeyArguments key;       // of an encrypted folder
};

// What the questions of rank 0 have cost.
struct JobCost {
  std::size_t requests = 0;
  double answering_s = 0.0;  // by the slowest rank of each
  double messages_s = 0.0;   // all else until the answer was there
};

// The shards of a folder spread over the ranks of a job: shard i is held by rank i modulo their
// number. Rank 0 works with the gallery, as a program with one file does; the others answer.
class ShardJob {
 public:
  // Every rank looks at its shards first. Throws Error on all ranks, naming what is missing or
  // damaged, unless that is allowed.
  ShardJob(Job& job, const ShardJobOptions& options, const Describe& describe);

  // Pictures to enrol, the same on all ranks.
  void take_pictures(const std::vector<Picture>& pictures, const EnrollOptions& options);

  // Runs `work` on rank 0; the others answer its questions until it is done. An Error of the work
  // is thrown on rank 0 alone.
  void run(const std::function<void(Gallery&)>& work);

  const JobCost& cost() const { return cost_; }  // of rank 0
  double coverage() const { return coverage_; }

 private:
  std::string ask(std::string_view request);
  void answer_all();
  std::string timed_answer(const std::string& request);
  std::string reduce(const std::string& request, std::string answer);

  Job& job_;
  ShardJobOptions options_;
  double coverage_ = 1.0;
  std::unique_ptr<Gallery> gallery_;  // of rank 0; locks the folder
  std::unique_ptr<ShardHolder> holder_;
  JobCost cost_;
};

}  // namespace longshot::mpi
