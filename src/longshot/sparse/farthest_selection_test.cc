// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/farthest_selection.h"

#include <gtest/gtest.h>

#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

std::vector<Index> select(const Matrix& samples, Index count) {
  return farthest_selection(samples.transpose() * samples, count);
}

TEST(FarthestSelection, StartsWithTheLargestAndGoesOnWithTheFarthest) {
  Matrix samples(2, 4);
  samples << 1.0, 2.0, 0.1, 0.7,  //
      0.1, 0.0, 1.0, 0.7;
  EXPECT_EQ(select(samples, 3), (std::vector<Index>{1, 2, 3}));
}

TEST(FarthestSelection, CopiesOppositesAndZerosAddNothing) {
  Matrix samples = small_problems::gaussian(5, 3, 1);
  Matrix all(5, 8);
  all << samples, -2.0 * samples.col(0), samples, Vector::Zero(5);
  EXPECT_EQ(select(all, 8).size(), 3U);
}

TEST(FarthestSelection, NeverMoreThanAskedOrThereAre) {
  const Matrix samples = small_problems::gaussian(9, 6, 2);
  EXPECT_EQ(select(samples, 4).size(), 4U);
  EXPECT_EQ(select(samples, 40).size(), 6U);
  EXPECT_TRUE(select(Matrix::Zero(3, 3), 2).empty());
  EXPECT_TRUE(farthest_selection(Matrix(), 2).empty());
}

}  // namespace
}  // namespace longshot
