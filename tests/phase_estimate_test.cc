// SPDX-License-Identifier: Apache-2.0
#include "phase_estimate.h"

#include <gtest/gtest.h>

namespace longshot::cli {
namespace {

TEST(PhaseEstimate, SaysNothingBeforeItKnows) {
  PhaseEstimate estimate;
  EXPECT_LT(estimate.left(10), 0.0);
  estimate.add(0, 0.0);
  estimate.add(0, 60.0);
  EXPECT_LT(estimate.left(10), 0.0);
}

TEST(PhaseEstimate, FollowsAnEvenSpeed) {
  PhaseEstimate estimate;
  for (int i = 0; i <= 40; ++i) estimate.add(i, i);
  EXPECT_DOUBLE_EQ(estimate.left(100), 60.0);
}

// The first step takes a minute, each of the others a second.
TEST(PhaseEstimate, ForgetsASlowBeginning) {
  PhaseEstimate estimate;
  estimate.add(0, 0.0);
  for (int i = 1; i <= 70; ++i) estimate.add(i, 59.0 + i);
  EXPECT_NEAR(estimate.left(100), 30.0, 1.0);
}

// Half of the steps at once, and the first of the others long after.
TEST(PhaseEstimate, TakesOneLateStepForNoSpeed) {
  PhaseEstimate estimate;
  estimate.add(0, 0.0);
  for (int second = 10; second < 110; ++second) estimate.add(20, second);
  estimate.add(21, 110.0);
  EXPECT_DOUBLE_EQ(estimate.left(42), 110.0);
}

TEST(PhaseEstimate, NeverGoesBelowNothing) {
  PhaseEstimate estimate;
  for (int i = 0; i <= 10; ++i) estimate.add(i, i);
  EXPECT_EQ(estimate.left(10), 0.0);
  EXPECT_LT(estimate.left(5), 0.0);
}

}  // namespace
}  // namespace longshot::cli
