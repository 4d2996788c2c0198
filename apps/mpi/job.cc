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

// Waits as MPI_Wait does, but leaves the core to others: what a job waits for are ranks that
// search, and a server's next question may be hours away. Of the time that it takes it adds at most
// a sixteenth, and never more than a millisecond.
void wait(MPI_Request request) {
  using Clock = std::chrono::steady_clock;
  constexpr Clock::duration kLongest = std::chrono::milliseconds(1);
  const Clock::time_point start = Clock::now();
  while (true) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    const Clock::duration pause = (Clock::now() - start) / 16;
    if (pause < std::chrono::microseconds(5)) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::min(pause, kLongest));
    }
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
  const auto share = [](void* data, int count, MPI_Datatype type) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(data, count, type, 0, MPI_COMM_WORLD, &request);
    wait(request);
  };
  share(&size, 1, MPI_UINT64_T);
  value.resize(size);
  for_each_piece(value.data(), value.size(),
                 [&](char* data, int count) { share(data, count, MPI_CHAR); });
  if (leads() && size_ > 1) bytes_sent_ += value.size();
  return value;
}

void Job::send(const std::string& value, int to, int tag) {
  const std::uint64_t size = value.size();
  const auto give = [&](const void* data, int count, MPI_Datatype type) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(data, count, type, to, tag, MPI_COMM_WORLD, &request);
    wait(request);
  };
  give(&size, 1, MPI_UINT64_T);
  for_each_piece(value.data(), value.size(),
                 [&](const char* data, int count) { give(data, count, MPI_CHAR); });
  bytes_sent_ += value.size();
}

std::string Job::receive(int from, int tag) {
  std::uint64_t size = 0;
  const auto take = [&](void* data, int count, MPI_Datatype type) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(data, count, type, from, tag, MPI_COMM_WORLD, &request);
    wait(request);
  };
  take(&size, 1, MPI_UINT64_T);
  std::string value(size, '\0');
  for_each_piece(value.data(), value.size(),
                 [&](char* data, int count) { take(data, count, MPI_CHAR); });
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
