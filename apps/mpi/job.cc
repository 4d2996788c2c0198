// SPDX-License-Identifier: Apache-2.0
#include "job.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include <mpi.h>

namespace longshot::mpi {
namespace {

constexpr int kReduceTag = 1;
constexpr int kGatherTag = 2;
constexpr int kDealTag = 3;
constexpr int kDealtTag = 4;
constexpr std::size_t kPiece = std::size_t{1} << 28;  // MPI counts with an int

// Calls body(first byte, how many) for pieces that MPI can take.
template <typename Bytes, typename Body>
void for_each_piece(Bytes* data, std::size_t size, const Body& body) {
  for (std::size_t at = 0; at < size; at += kPiece) {
    body(data + at, static_cast<int>(std::min(kPiece, size - at)));
  }
}

}  // namespace

Job::Job() {
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) throw std::runtime_error("This MPI is not for threads.");
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Job::~Job() {
  MPI_Finalize();
}

int Job::ranks_here() const {
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &here);
  int ranks = 1;
  MPI_Comm_size(here, &ranks);
  MPI_Comm_free(&here);
  return ranks;
}

std::string Job::host() const {
  char name[MPI_MAX_PROCESSOR_NAME] = {};
  int length = 0;
  MPI_Get_processor_name(name, &length);
  return {name, static_cast<std::size_t>(length)};
}

std::string Job::broadcast(std::string value) {
  std::uint64_t size = value.size();
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  value.resize(size);
  for_each_piece(value.data(), value.size(), [](char* data, int count) {
    MPI_Bcast(data, count, MPI_CHAR, 0, MPI_COMM_WORLD);
  });
  if (leads() && size_ > 1) bytes_sent_ += value.size();
  return value;
}

void Job::send(const std::string& value, int to, int tag) {
  const std::uint64_t size = value.size();
  MPI_Send(&size, 1, MPI_UINT64_T, to, tag, MPI_COMM_WORLD);
  for_each_piece(value.data(), value.size(), [&](const char* data, int count) {
    MPI_Send(data, count, MPI_CHAR, to, tag, MPI_COMM_WORLD);
  });
  bytes_sent_ += value.size();
}

std::string Job::receive(int from, int tag) {
  std::uint64_t size = 0;
  MPI_Recv(&size, 1, MPI_UINT64_T, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::string value(size, '\0');
  for_each_piece(value.data(), value.size(), [&](char* data, int count) {
    MPI_Recv(data, count, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  });
  return value;
}

std::string Job::reduce(std::string value, const Combine& combine) {
  for (int step = 1; step < size_; step *= 2) {
    if (rank_ % (2 * step) != 0) {
      send(value, rank_ - step, kReduceTag);
      return value;
    }
    if (rank_ + step < size_) value = combine(value, receive(rank_ + step, kReduceTag));
  }
  return value;
}

std::vector<std::string> Job::gather(const std::string& value) {
  if (!leads()) {
    send(value, 0, kGatherTag);
    return {};
  }
  std::vector<std::string> values{value};
  for (int rank = 1; rank < size_; ++rank) values.push_back(receive(rank, kGatherTag));
  return values;
}

// Looks now and then whether somebody asks, so that it takes no time from the work of its rank.
class Dealer::Thread {
 public:
  Thread(int others, int count) : count_(count), thread_([this, others] { deal(others); }) {}
  ~Thread() { thread_.join(); }
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;

  int take() { return next_++; }

 private:
  void deal(int left) {
    while (left > 0) {
      int asked = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kDealTag, MPI_COMM_WORLD, &asked, &status);
      if (asked == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        continue;
      }
      MPI_Recv(nullptr, 0, MPI_CHAR, status.MPI_SOURCE, kDealTag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
      const int number = take();
      MPI_Send(&number, 1, MPI_INT, status.MPI_SOURCE, kDealtTag, MPI_COMM_WORLD);
      if (number >= count_) --left;  // that rank asks no more
    }
  }

  int count_;
  std::atomic<int> next_{0};
  std::thread thread_;
};

Dealer::Dealer(const Job& job, int count) : job_(job) {
  if (job_.leads()) thread_ = std::make_unique<Thread>(job_.size() - 1, count);
}

Dealer::~Dealer() = default;

int Dealer::next() {
  if (thread_) return thread_->take();
  int number = 0;
  MPI_Send(nullptr, 0, MPI_CHAR, 0, kDealTag, MPI_COMM_WORLD);
  MPI_Recv(&number, 1, MPI_INT, 0, kDealtTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return number;
}

}  // namespace longshot::mpi
