// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace longshot::mpi {

// The processes that mpirun or Slurm has started, while the object lives. All ranks make the same
// calls in the same order.
class Job {
 public:
  // Combines two values to one, in any order.
  using Combine = std::function<std::string(std::string_view, std::string_view)>;

  Job();  // from the main thread, before others
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool leads() const { return rank_ == 0; }
  int ranks_here() const;  // on this host
  std::string host() const;

  // What rank 0 has, to all.
  std::string broadcast(std::string value);
  // The values of all ranks as one, on rank 0, by a binomial tree; elsewhere nothing of use.
  std::string reduce(std::string value, const Combine& combine);
  // The values of all ranks in order, on rank 0.
  std::vector<std::string> gather(const std::string& value);

  std::size_t bytes_sent() const { return bytes_sent_; }  // by this rank

 private:
  void send(const std::string& value, int to, int tag);
  static std::string receive(int from, int tag);

  int rank_ = 0;
  int size_ = 1;
  std::size_t bytes_sent_ = 0;
};

// Deals numbers 0 .. count - 1 out to the ranks, each when it asks, in order: whoever is faster
// gets more. Made and left by all ranks together.
class Dealer {
 public:
  Dealer(const Job& job, int count);
  ~Dealer();
  Dealer(const Dealer&) = delete;
  Dealer& operator=(const Dealer&) = delete;

  int next();  // at least `count`: there is nothing left

 private:
  class Thread;

  const Job& job_;
  std::unique_ptr<Thread> thread_;  // of rank 0: answers the others
};

}  // namespace longshot::mpi
