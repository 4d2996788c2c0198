// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/calibration.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Vector exponentials(Index count, std::uint64_t seed) {
  Random random(seed);
  return Vector::NullaryExpr(count, [&](Index) { return -std::log(1.0 - random.uniform()); });
}

TEST(LogRatio, IsTheOpenSetRatioInAnotherScale) {
  EXPECT_NEAR(1.0 - std::exp(-log_ratio(0.3, 0.6, 0.0)), 0.5, 1e-12);
  EXPECT_NEAR(log_ratio(0.3, 0.6, 0.0), -log_ratio(0.6, 0.3, 0.0), 1e-12);
  EXPECT_NEAR(log_ratio(-1.7, -1.4, -2.0), std::log(2.0), 1e-12);
}

TEST(LogRatio, IsFiniteForPerfectAndForEqualMatches) {
  EXPECT_GT(log_ratio(0.0, 0.5, 0.0), 10.0);
  EXPECT_TRUE(std::isfinite(log_ratio(0.0, 0.5, 0.0)));
  EXPECT_DOUBLE_EQ(log_ratio(0.0, 0.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(log_ratio(0.7, 0.7, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(log_ratio(-3.0, -2.5, -2.0), 0.0);  // both below the zero
}

TEST(UpperTail, IsWiderByAFactorOfItsExcesses) {
  Random random(11);
  Vector values(2000);
  for (double& value : values) value = -std::log(random.uniform(1e-12, 1.0));
  const UpperTail plain(values);
  const UpperTail wide(values, 0.1, 1.25);
  const double begin = plain.value_at(0.1);
  EXPECT_EQ(wide.value_at(0.1), begin);
  EXPECT_NEAR(wide.value_at(0.01) - begin, 1.25 * (plain.value_at(0.01) - begin), 1e-12);
  EXPECT_EQ(wide.value_at(0.5), plain.value_at(0.5));
}

TEST(UpperTail, ThresholdsAtSmallRatesComeFromTheFittedTail) {
  const UpperTail tail(exponentials(2000, 3));
  for (const double rate : {0.3, 0.1, 0.01, 0.001}) {
    EXPECT_NEAR(tail.value_at(rate), -std::log(rate), 0.15 * -std::log(rate) + 0.05) << rate;
  }
  EXPECT_EQ(tail.value_at(0.0), kInfinity);
  EXPECT_EQ(tail.value_at(1.0), -kInfinity);
}

TEST(UpperTail, RateAndValueAreInverse) {
  const UpperTail tail(exponentials(500, 4));
  for (const double rate : {0.9, 0.5, 0.2, 0.1, 0.03, 0.002}) {
    EXPECT_NEAR(tail.rate_at(tail.value_at(rate)), rate, 1e-9);
  }
  EXPECT_EQ(tail.rate_at(-kInfinity), 1.0);
}

TEST(UpperTail, ThresholdsNeverFallAsTheRateFalls) {
  for (const Index count : {1, 2, 3, 7, 30, 301}) {
    const UpperTail tail(exponentials(count, static_cast<std::uint64_t>(count)));
    double before = -kInfinity;
    for (double rate = 1.0; rate > 1e-5; rate *= 0.93) {
      EXPECT_GE(tail.value_at(rate), before) << count << " " << rate;
      before = tail.value_at(rate);
    }
  }
}

TEST(UpperTail, EqualValuesAndBadValues) {
  const UpperTail tail(Vector::Constant(50, 0.7));
  EXPECT_DOUBLE_EQ(tail.value_at(0.01), 0.7);
  EXPECT_EQ(tail.rate_at(0.8), 0.0);
  EXPECT_THROW(UpperTail{Vector()}, Error);
  EXPECT_THROW(UpperTail{Vector::Constant(3, kInfinity)}, Error);
  EXPECT_THROW(tail.value_at(1.5), Error);
  EXPECT_THROW(tail.value_at(std::nan("")), Error);
}

TEST(ScoreCurve, IsTheProbabilityOfBeingRight) {
  // Two Gaussians of unit variance at +1 and -1: the log odds are 2 t.
  Random random(7);
  Vector right(20000);
  Vector wrong(5000);
  for (double& t : right) t = 1.0 + random.normal();
  for (double& t : wrong) t = -1.0 + random.normal();
  const ScoreCurve curve = fit_score_curve(right, wrong);
  EXPECT_NEAR(curve.slope, 2.0, 0.1);
  EXPECT_NEAR(curve.offset, 0.0, 0.1);
  EXPECT_NEAR(curve.score(0.0), 0.5, 0.03);
}

TEST(ScoreCurve, StaysFiniteWhereKindsDoNotOverlapAndRisingWhereTheyAreExchanged) {
  const Vector high{{2.0, 2.1, 2.2}};
  const Vector low{{0.1, 0.2, 0.3}};
  const ScoreCurve apart = fit_score_curve(high, low);
  EXPECT_TRUE(std::isfinite(apart.slope));
  EXPECT_GT(apart.score(2.1), 0.7);
  EXPECT_LT(apart.score(0.2), 0.3);
  EXPECT_GT(fit_score_curve(low, high).slope, 0.0);
  EXPECT_THROW(fit_score_curve(Vector(), low), Error);
}

TEST(Calibration, OnlyStrangersNearestToSomebodyEnrolledCanBeFalsePositives) {
  CalibrationScores scores{
      exponentials(50, 1), exponentials(2000, 2), exponentials(90, 3), 1.0, 0.1, 1.0, {}};
  const Calibration all = calibrate(scores, 0.0, 10);
  scores.share = 0.25;
  const Calibration quarter = calibrate(scores, 0.0, 10);
  EXPECT_EQ(quarter.known_above(0.01), all.known_above(0.04));
  EXPECT_LT(quarter.known_above(0.01), all.known_above(0.01));
  EXPECT_EQ(quarter.known_above(0.25), 0.0);
  EXPECT_EQ(quarter.known_above(0.0), kInfinity);
  EXPECT_EQ(quarter.known_above(1.0), -kInfinity);
  EXPECT_EQ(Calibration::from_state(quarter.state()).share, 0.25);
  EXPECT_THROW(quarter.known_above(1.5), Error);
}

TEST(Calibration, LiesBetweenOneFrameAndManyAsTheVarianceOfAMeanDoes) {
  const CalibrationScores scores{exponentials(50, 1).array() + 1.0,
                                 exponentials(200, 2),
                                 exponentials(900, 3).array() - 1.0,
                                 1.0,
                                 0.1,
                                 1.0,
                                 {4.0, 0.6, 0.5, {3.0, -1.0}}};
  const Calibration one = calibrate(scores, 0.0, 17);
  EXPECT_EQ(one.for_frames(1.0).known_above(0.01), one.known_above(0.01));
  for (const double many : {4.0, 40.0}) {
    EXPECT_NEAR(one.for_frames(many).known_above(0.01), 0.5 * one.known_above(0.01), 1e-12);
    EXPECT_NEAR(one.for_frames(many).known_above(0.3), 0.5 * one.known_above(0.3), 1e-12);
    EXPECT_NEAR(one.for_frames(many).curve.slope, 3.0, 1e-12);
  }
  // (1 - 1 / 2) / (1 - 1 / 4) of the way.
  EXPECT_NEAR(one.for_frames(2.0).known_above(0.01), (1.0 - 1.0 / 3.0) * one.known_above(0.01),
              1e-12);
  EXPECT_EQ(one.for_frames(2.0).match_above(0.01), one.match_above(0.01));
}

TEST(Calibration, ComesBackFromItsState) {
  const CalibrationScores scores{exponentials(50, 1).array() + 1.0,
                                 exponentials(200, 2),
                                 exponentials(900, 3).array() - 1.0,
                                 0.5,
                                 0.1,
                                 1.0,
                                 {8.0, 0.6, 0.5, {3.0, -1.0}}};
  const Calibration made = calibrate(scores, -0.25, 17);
  const Calibration back = Calibration::from_state(made.state());
  EXPECT_EQ(back.people, 17);
  EXPECT_EQ(back.zero, -0.25);
  for (const double rate : {0.5, 0.01}) {
    EXPECT_EQ(back.known_above(rate), made.known_above(rate));
    EXPECT_EQ(back.match_above(rate), made.match_above(rate));
  }
  EXPECT_EQ(back.score(0.4), made.score(0.4));
  EXPECT_THROW(UpperTail::from_numbers(Matrix::Zero(3, 1)), Error);
}

}  // namespace
}  // namespace longshot
