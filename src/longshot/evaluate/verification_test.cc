// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/verification.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/evaluate/ranking.h"
#include "longshot/evaluate/statistics.h"
#include "longshot/evaluate/values_test.h"

namespace longshot {
namespace {

using ::testing::ElementsAre;

Vector normal_sample(Index count, double mean, std::uint64_t seed) {
  Random random(seed);
  Vector sample(count);
  for (double& x : sample) x = mean + random.normal();
  return sample;
}

TEST(VerificationScores, SplitsTheMatrix) {
  Matrix d(2, 3);
  d << 1, 3, 5,  //
      2, 4, 6;
  const VerificationScores scores = verification_scores(d, std::vector<Index>{0, 1, kNotEnrolled});
  EXPECT_THAT(scores.genuine, ElementsAre(1, 4));
  EXPECT_THAT(scores.impostor, ElementsAre(2, 3, 5, 6));
  EXPECT_THROW(verification_scores(d, std::vector<Index>{0}), Error);
  // One person: no impostors, so there is no curve.
  const VerificationScores one = verification_scores(d.topRows(1), std::vector<Index>{0, 0, 0});
  EXPECT_EQ(one.impostor.size(), 0);
  EXPECT_THROW(verification_curve(one.genuine, one.impostor), Error);
}

TEST(VerificationCurve, HandCaseWithTies) {
  // Threshold:  -inf   1     2     3     4     5
  // FMR (of 4):  0     0    1/4   3/4   3/4    1      impostors 2 3 3 5
  // FNMR (of 3): 1    2/3   1/3   1/3    0     0      genuine 1 2 4
  const VerificationCurve curve = verification_curve(values({4, 1, 2}), values({3, 2, 5, 3}));
  ASSERT_EQ(curve.points.size(), 6U);
  const double fmr[] = {0, 0, 0.25, 0.75, 0.75, 1};
  const double fnmr[] = {1, 2.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(curve.points[i].fmr, fmr[i]) << i;
    EXPECT_EQ(curve.points[i].fnmr, fnmr[i]) << i;
  }
  const double threshold[] = {-std::numeric_limits<double>::infinity(), 1, 2, 3, 4, 5};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(curve.points[i].threshold, threshold[i]);
  EXPECT_EQ(curve.genuine, 3);
  EXPECT_EQ(curve.impostor, 4);
  // From (1/4, 1/3) to (3/4, 1/3) the line is level at 1/3.
  EXPECT_DOUBLE_EQ(equal_error_rate(curve), 1.0 / 3);
}

TEST(VerificationCurve, IsMonotone) {
  const VerificationCurve curve =
      verification_curve(normal_sample(300, 0, 1), normal_sample(500, 1, 2));
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    EXPECT_GT(curve.points[i].threshold, curve.points[i - 1].threshold);
    EXPECT_GE(curve.points[i].fmr, curve.points[i - 1].fmr);
    EXPECT_LE(curve.points[i].fnmr, curve.points[i - 1].fnmr);
  }
  EXPECT_EQ(curve.points.back().fmr, 1.0);
  EXPECT_EQ(curve.points.back().fnmr, 0.0);
}

TEST(VerificationCurve, RefusesBadInput) {
  const Vector good = values({1, 2});
  EXPECT_THROW(verification_curve(Vector(), good), Error);
  EXPECT_THROW(verification_curve(good, Vector()), Error);
  EXPECT_THROW(verification_curve(values({1, std::nan("")}), good), Error);
  EXPECT_THROW(verification_curve(good, values({1, std::nan("")})), Error);
}

TEST(EqualErrorRate, PerfectIsZeroAndReversedIsOne) {
  const Vector low = values({1, 2});
  const Vector high = values({3, 4});
  EXPECT_EQ(equal_error_rate(verification_curve(low, high)), 0.0);
  EXPECT_EQ(equal_error_rate(verification_curve(high, low)), 1.0);
  EXPECT_EQ(equal_error_rate(verification_curve(values({1}), values({2}))), 0.0);
}

TEST(EqualErrorRate, IsHalfForIdenticalDistributions) {
  const Vector sample = normal_sample(101, 0, 3);
  EXPECT_NEAR(equal_error_rate(verification_curve(sample, sample)), 0.5, 1e-15);
  EXPECT_EQ(equal_error_rate(verification_curve(Vector::Zero(3), Vector::Zero(7))), 0.5);
}

TEST(EqualErrorRate, InterpolatesAcrossATie) {
  // (FMR, FNMR): (0, 1), (0, 1/2), (1/4, 0) at the tie of 2. On the last line, a fraction f gives
  // FMR f/4 and FNMR (1 - f)/2, equal at f = 2/3: 1/6.
  EXPECT_NEAR(equal_error_rate(verification_curve(values({1, 2}), values({2, 3, 4, 5}))), 1.0 / 6,
              1e-15);
}

TEST(EqualErrorRate, OfTwoNormalsIsTheTheoreticalOne) {
  // Unit normals two apart cross at P(X > 1) = 0.158655.
  const VerificationCurve curve =
      verification_curve(normal_sample(40000, 0, 4), normal_sample(40000, 2, 5));
  EXPECT_NEAR(equal_error_rate(curve), 0.158655, 0.006);
}

TEST(EqualErrorRate, InvariantUnderIncreasingTransformsAndMirrors) {
  const Vector genuine = normal_sample(70, 0, 6);
  const Vector impostor = normal_sample(90, 1, 7);
  const double rate = equal_error_rate(verification_curve(genuine, impostor));
  EXPECT_GT(rate, 0.1);
  EXPECT_EQ(equal_error_rate(verification_curve(genuine.array().exp(), impostor.array().exp())),
            rate);
  // Swapping the roles and the sign swaps FMR and FNMR.
  EXPECT_NEAR(equal_error_rate(verification_curve(-impostor, -genuine)), rate, 1e-12);
}

TEST(PointAtFmr, TakesTheBestAdmissibleThreshold) {
  const VerificationCurve curve = verification_curve(values({4, 1, 2}), values({3, 2, 5, 3}));
  EXPECT_EQ(point_at_fmr(curve, 0.0).threshold, 1.0);
  EXPECT_EQ(point_at_fmr(curve, 0.0).fnmr, 2.0 / 3);
  EXPECT_EQ(point_at_fmr(curve, 0.2499).threshold, 1.0);
  EXPECT_EQ(point_at_fmr(curve, 0.25).threshold, 2.0);
  EXPECT_EQ(point_at_fmr(curve, 0.75).threshold, 4.0);
  EXPECT_EQ(point_at_fmr(curve, 0.75).fnmr, 0.0);
  EXPECT_EQ(point_at_fmr(curve, 1.0).threshold, 5.0);
  EXPECT_THROW(point_at_fmr(curve, -0.1), Error);
  EXPECT_THROW(point_at_fmr(curve, 1.1), Error);
  EXPECT_THROW(point_at_fmr(curve, std::nan("")), Error);
}

TEST(PointAtFmr, NothingMatchesWhereTheBestPairIsAnImpostor) {
  const OperatingPoint point = point_at_fmr(verification_curve(values({2}), values({2, 3})), 0.1);
  EXPECT_EQ(point.fnmr, 1.0);
  EXPECT_EQ(point.fmr, 0.0);
}

TEST(PointAtFmr, DecimalRatesAreExact) {
  // 29 of 100 impostors is admissible at 0.29, although 0.29 * 100 rounds to below 29.
  Vector impostor = Vector::LinSpaced(100, 1, 100);
  EXPECT_EQ(point_at_fmr(verification_curve(values({0}), impostor), 0.29).threshold, 29.0);
}

TEST(DetPoints, AreNormalDeviatesHeldOffInfinity) {
  const VerificationCurve curve = verification_curve(values({4, 1, 2}), values({3, 2, 5, 3}));
  const std::vector<DetPoint> points = det_points(curve);
  ASSERT_EQ(points.size(), 6U);
  EXPECT_EQ(points[0].fmr_deviate, normal_quantile(1.0 / 8));  // half of one in four
  EXPECT_NEAR(points[0].fnmr_deviate, normal_quantile(5.0 / 6), 1e-14);
  EXPECT_EQ(points[2].fmr_deviate, normal_quantile(0.25));
  EXPECT_EQ(points[2].fnmr_deviate, normal_quantile(1.0 / 3));
}

TEST(DetPoints, OfNormalsLieOnALine) {
  // For unit normals two apart the deviates add up to -2.
  const VerificationCurve curve =
      verification_curve(normal_sample(40000, 0, 8), normal_sample(40000, 2, 9));
  for (const DetPoint& point : det_points(curve)) {
    if (std::abs(point.fmr_deviate) > 1.5 || std::abs(point.fnmr_deviate) > 1.5) continue;
    EXPECT_NEAR(point.fmr_deviate + point.fnmr_deviate, -2.0, 0.06);
  }
}

TEST(Decimate, KeepsEndsOrderAndTails) {
  const VerificationCurve curve =
      verification_curve(normal_sample(5000, 0, 10), normal_sample(20000, 2, 11));
  for (Index limit : {2, 3, 10, 200}) {
    const VerificationCurve thin = decimate(curve, limit);
    EXPECT_LE(std::ssize(thin.points), limit);
    EXPECT_GE(std::ssize(thin.points), std::min<Index>(limit, 2 + limit / 2));
    EXPECT_EQ(thin.points.front().fnmr, 1.0);
    EXPECT_EQ(thin.points.front().fmr, 0.0);
    EXPECT_EQ(thin.points.back().threshold, curve.points.back().threshold);
    for (std::size_t i = 1; i < thin.points.size(); ++i) {
      EXPECT_GT(thin.points[i].threshold, thin.points[i - 1].threshold);
    }
  }
  const VerificationCurve thin = decimate(curve, 200);
  EXPECT_NEAR(equal_error_rate(thin), equal_error_rate(curve), 0.005);
  const auto strict =
      std::count_if(thin.points.begin(), thin.points.end(),
                    [](const OperatingPoint& p) { return p.fmr > 0.0 && p.fmr < 0.001; });
  EXPECT_GE(strict, 10);
}

TEST(Decimate, LeavesShortCurvesAlone) {
  const VerificationCurve curve = verification_curve(values({1, 2}), values({3, 4}));
  EXPECT_EQ(decimate(curve, 5).points.size(), curve.points.size());
  EXPECT_EQ(decimate(curve, 4).points.size(), 4U);
  EXPECT_THROW(decimate(curve, 1), Error);
}

}  // namespace
}  // namespace longshot
