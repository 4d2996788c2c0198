// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/parallel.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <cblas.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(Parallel, BlocksCoverTheRangeOnceWithFixedBounds) {
  std::vector<std::atomic<int>> seen(103);
  parallel_blocks(103, 10, [&](Index begin, Index end) {
    EXPECT_EQ(begin % 10, 0);
    EXPECT_LE(end - begin, 10);
    for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
  });
  for (const auto& count : seen) EXPECT_EQ(count, 1);
}

// Without atomics: under ThreadSanitizer this shows that the loop orders what it should.
TEST(Parallel, LoopsSeeWhatWasWrittenBeforeThem) {
  std::vector<Index> values(1000, 0);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Index>(i);
  for (int round = 0; round < 20; ++round) {
    parallel_for(1000, [&](Index i) { values[static_cast<std::size_t>(999 - i)] += 1; });
    parallel_blocks(1000, 7, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) values[static_cast<std::size_t>(i)] += 1;
    });
  }
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<Index>(i) + 40);
}

#ifdef LONGSHOT_SANITIZE_THREAD
// Otherwise scripts/sanitize would look in vain: all our loops are called from within oneTBB.
TEST(ParallelDeathTest, ARaceInALoopIsReported) {
  if (thread_count() < 2) GTEST_SKIP() << "one core";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  constexpr int kReported = 66;  // exit code of ThreadSanitizer
  EXPECT_EXIT(
      {
        Index sum = 0;
        parallel_for(2000, [&](Index i) {
          sum += i;
          std::this_thread::sleep_for(std::chrono::microseconds(50));
        });
        std::exit(0);
      },
      testing::ExitedWithCode(kReported), "data race");
}
#endif

TEST(Parallel, EmptyRangeCallsNothing) {
  parallel_for(0, [](Index) { FAIL(); });
}

TEST(Parallel, ExceptionReachesTheCaller) {
  EXPECT_THROW(parallel_for(100,
                            [](Index i) {
                              if (i == 57) throw Error("stop at {}", i);
                            }),
               Error);
}

TEST(Parallel, ThreadCountIsLimitedAndReset) {
  set_thread_count(1);
  EXPECT_EQ(thread_count(), 1);
  set_thread_count(0);
  EXPECT_GE(thread_count(), 1);
  EXPECT_THROW(set_thread_count(-1), Error);
}

TEST(Parallel, BlasRunsOnOneThread) {
  EXPECT_EQ(openblas_get_num_threads(), 1);
}

}  // namespace
}  // namespace longshot
