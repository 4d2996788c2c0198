// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/lending_pool.h"

#include <atomic>
#include <stdexcept>

#include <gtest/gtest.h>

#include "longshot/core/parallel.h"

namespace longshot {
namespace {

struct Counted {
  std::atomic<int> users = 0;
};

TEST(LendingPool, LendsAThingToOneAtATime) {
  const LendingPool<Counted> pool([] { return std::make_unique<Counted>(); });
  std::atomic<bool> shared = false;
  parallel_for(200, [&](Index) {
    pool.lend([&](Counted& thing) {
      if (++thing.users > 1) shared = true;
      --thing.users;
    });
  });
  EXPECT_FALSE(shared);
}

TEST(LendingPool, MakesNoMoreThanAreUsedAtOnce) {
  int made = 0;
  const LendingPool<int> pool([&] { return std::make_unique<int>(++made); });
  for (int k = 0; k < 5; ++k) EXPECT_EQ(pool.lend([](int& one) { return one; }), 1);
  pool.lend([&](int& one) {
    EXPECT_EQ(one, 1);
    EXPECT_EQ(pool.lend([](int& other) { return other; }), 2);
  });
  EXPECT_EQ(made, 2);
}

TEST(LendingPool, GetsBackWhatFailed) {
  int made = 0;
  const LendingPool<int> pool([&] { return std::make_unique<int>(++made); });
  EXPECT_THROW(pool.lend([](int&) { throw std::runtime_error("broken"); }), std::runtime_error);
  pool.lend([](int&) {});
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace longshot
