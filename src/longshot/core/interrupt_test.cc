// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/interrupt.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// More blocks than anybody waits for.
constexpr Index kEndless = 1'000'000'000;

void rest(Index /*block*/) {
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Interrupt, StopsALoopBetweenItsBlocks) {
  const InterruptScope scope([] { throw Cancelled(); });
  EXPECT_THROW(parallel_for(kEndless, rest), Cancelled);
}

TEST(Interrupt, StopsLoopsInsideLoops) {
  const InterruptScope scope([] { throw Cancelled(); });
  EXPECT_THROW(parallel_for(2, [](Index) { parallel_for(kEndless, rest); }), Cancelled);
}

TEST(Interrupt, LooksAgainAndAgain) {
  std::atomic<int> looks = 0;
  const InterruptScope scope([&] {
    if (++looks == 3) throw Cancelled();
  });
  EXPECT_THROW(parallel_for(kEndless, rest), Cancelled);
  EXPECT_EQ(looks, 3);
}

TEST(Interrupt, EndsWithItsScopeAndGivesBackTheOneBefore) {
  InterruptScope outer([] {});
  {
    InterruptScope inner([] {});
    EXPECT_EQ(InterruptScope::current(), &inner);
  }
  EXPECT_EQ(InterruptScope::current(), &outer);
}

TEST(Interrupt, StopsWhatLooksByItself) {
  look_for_interrupt();  // nobody asks
  const InterruptScope scope([] { throw Cancelled(); });
  EXPECT_THROW(
      for (Index i = 0; i < kEndless; ++i) {
        look_for_interrupt();
        rest(i);
      },
      Cancelled);
}

TEST(Interrupt, OtherThreadsAreNotAsked) {
  const InterruptScope scope([] {});
  std::jthread([] { EXPECT_EQ(InterruptScope::current(), nullptr); });
}

}  // namespace
}  // namespace longshot
