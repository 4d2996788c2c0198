// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/lowest_two.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace longshot {
namespace {

Vector values(std::initializer_list<double> list) {
  Vector result(static_cast<Index>(list.size()));
  std::copy(list.begin(), list.end(), result.data());
  return result;
}

TEST(LowestTwo, AreFoundWhereverTheyStand) {
  const LowestTwo two = lowest_two(values({4, 1, 3, 2}));
  EXPECT_EQ(two.row, 1);
  EXPECT_EQ(two.first, 1.0);
  EXPECT_EQ(two.second, 2.0);
  EXPECT_EQ(lowest_two(values({1, 2, 3})).second, 2.0);
  EXPECT_EQ(lowest_two(values({3, 2, 1})).second, 2.0);
}

TEST(LowestTwo, OneMayBeLeftOut) {
  const LowestTwo two = lowest_two(values({4, 1, 3, 2}), 1);
  EXPECT_EQ(two.row, 3);
  EXPECT_EQ(two.first, 2.0);
  EXPECT_EQ(two.second, 3.0);
}

TEST(LowestTwo, TheEarlierOfEqualsIsFirst) {
  const LowestTwo two = lowest_two(values({2, 1, 1}));
  EXPECT_EQ(two.row, 1);
  EXPECT_EQ(two.second, 1.0);
}

TEST(LowestTwo, NobodyIsInfinitelyFar) {
  EXPECT_EQ(lowest_two(values({5})).second, kNobody);
  EXPECT_EQ(lowest_two(values({5}), 0).row, -1);
  EXPECT_EQ(lowest_two(Vector()).first, kNobody);
}

}  // namespace
}  // namespace longshot
