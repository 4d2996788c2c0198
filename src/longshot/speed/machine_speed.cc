// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/machine_speed.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <vector>

#include <cblas.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/stopwatch.h"

namespace longshot {
namespace {

constexpr int kSgemmSize = 2048;
constexpr int kRepetitions = 7;
constexpr Index kReadBlock = 1 << 17;              // numbers
constexpr std::size_t kFilePiece = 1U << 17U;      // bytes, as cat takes them
constexpr std::size_t kCacheFiller = 128U << 20U;  // bytes, more than any cache of today

}  // namespace

double sgemm_gflops() {
  const MatrixF a = MatrixF::Constant(kSgemmSize, kSgemmSize, 0.5F);
  const MatrixF b = MatrixF::Constant(kSgemmSize, kSgemmSize, 0.5F);
  MatrixF c = a;
  openblas_set_num_threads(thread_count());
  double best = 1e30;
  for (int i = 0; i < kRepetitions; ++i) {
    const Stopwatch watch;
    cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kSgemmSize, kSgemmSize, kSgemmSize, 1.0F,
                a.data(), kSgemmSize, b.data(), kSgemmSize, 0.0F, c.data(), kSgemmSize);
    best = std::min(best, watch.seconds());
  }
  openblas_set_num_threads(1);
  const double side = kSgemmSize;
  return 2.0 * side * side * side / best * 1e-9;
}

double read_bytes_per_second(Index bytes) {
  const Index count = std::max<Index>(bytes / static_cast<Index>(sizeof(std::uint32_t)), 1);
  const std::vector<std::uint32_t> numbers(static_cast<std::size_t>(count), 1U);
  double best = 1e30;
  std::atomic<std::uint32_t> total = 0;  // keeps the compiler from leaving the reading out
  for (int i = 0; i < kRepetitions; ++i) {
    forget_processor_caches();
    const Stopwatch watch;
    parallel_blocks(count, kReadBlock, [&](Index begin, Index end) {
      std::uint32_t sum = 0;
      for (Index k = begin; k < end; ++k) sum += numbers[static_cast<std::size_t>(k)];
      total += sum;
    });
    best = std::min(best, watch.seconds());
  }
  return static_cast<double>(count) * sizeof(std::uint32_t) / best;
}

void forget_processor_caches() {
  static std::vector<std::uint8_t> filler(kCacheFiller);
  for (std::size_t i = 0; i < filler.size(); i += 64) ++filler[i];
}

double read_file_seconds(const std::filesystem::path& path, Index bytes) {
  std::vector<char> piece(kFilePiece);
  const Stopwatch watch;
  std::ifstream file(path, std::ios::binary);
  while (bytes > 0 && file.read(piece.data(), static_cast<std::streamsize>(piece.size()))) {
    bytes -= static_cast<Index>(piece.size());
  }
  if (!file.is_open() || file.bad()) throw Error("{} cannot be read.", path.string());
  return watch.seconds();
}

void forget_file_cache(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  if (fdatasync(file) == 0) posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Index peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<Index>(usage.ru_maxrss) * 1024;
}

}  // namespace longshot
