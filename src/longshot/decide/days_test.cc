// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/days.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/privacy.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

// Distances to `people` that nothing sets apart, the nearest first; that to the right person, if it
// is among them, is `factor` times as large.
Matrix nearest_of(Index probes, Index people, double factor) {
  Random random(3);
  Matrix nearest(kDaysNearest, probes);
  for (Index j = 0; j < probes; ++j) {
    Vector distances(people);
    for (double& distance : distances) distance = std::pow(random.uniform(1e-9, 1.0), 0.1);
    distances(0) *= factor;
    std::sort(distances.begin(), distances.end());
    nearest.col(j) = distances.head(kDaysNearest);
  }
  return nearest;
}

TEST(Days, TheSpacingsAreWeighedAsByHand) {
  Matrix nearest(kDaysNearest, 1);
  nearest << 1.0, std::exp(3.0), std::exp(4.0), std::exp(4.5), std::exp(5.0), std::exp(6.0);
  // 3 against the mean of 2 x 1, 3 x 0.5, 4 x 0.5 and 5 x 1.
  EXPECT_NEAR(standing_out(nearest), 3.0 / ((2.0 + 1.5 + 2.0 + 5.0) / 4.0), 1e-12);
}

TEST(Days, StrangersStandOutByOneHoweverManyPeopleThereAre) {
  for (const Index people : {20, 300}) {
    EXPECT_NEAR(standing_out(nearest_of(4000, people, 1.0)), 1.0, 0.06) << people;
  }
}

TEST(Days, WhoeverStandsOutInPixelsIsOfTheSameDay) {
  EXPECT_EQ(days_of(nearest_of(100, 50, 0.5)), Days::kSame);
  EXPECT_EQ(days_of(nearest_of(100, 50, 1.0)), Days::kOther);
}

TEST(Days, FewProbesOrPeopleSayNothing) {
  EXPECT_EQ(days_of(nearest_of(kFewestPeople - 1, 50, 0.5)), Days::kUnknown);
  EXPECT_EQ(days_of(nearest_of(100, 50, 0.5).topRows(kDaysNearest - 1)), Days::kUnknown);
}

TEST(Days, EqualDistancesAreNoDivisionByZero) {
  EXPECT_TRUE(std::isfinite(standing_out(Matrix::Constant(kDaysNearest, 30, 2.0))));
}

}  // namespace
}  // namespace longshot
