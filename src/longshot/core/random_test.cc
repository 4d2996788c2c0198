// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/random.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(Random, SameSeedSameNumbers) {
  Random a(7);
  Random b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, SeedAndStreamBothMatterAndDoNotCommute) {
  EXPECT_NE(Random(1, 2).bits(), Random(2, 1).bits());
  EXPECT_NE(Random(1, 0).bits(), Random(1, 1).bits());
}

TEST(Random, NormalHasUnitMoments) {
  Random random(3);
  const int count = 200000;
  double sum = 0.0;
  double square = 0.0;
  double fourth = 0.0;
  for (int i = 0; i < count; ++i) {
    const double x = random.normal();
    sum += x;
    square += x * x;
    fourth += x * x * x * x;
  }
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(square / count, 1.0, 0.02);
  EXPECT_NEAR(fourth / count, 3.0, 0.1);
}

TEST(Random, BelowCoversItsRangeEvenly) {
  Random random(5);
  std::vector<int> hits(7, 0);
  for (int i = 0; i < 70000; ++i) ++hits[static_cast<std::size_t>(random.below(7))];
  for (int hit : hits) EXPECT_NEAR(hit, 10000, 500);
}

TEST(Random, PermutationHoldsEveryIndexOnce) {
  std::vector<Index> order = Random(9).permutation(50);
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  std::sort(order.begin(), order.end());
  for (Index i = 0; i < 50; ++i) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace longshot
