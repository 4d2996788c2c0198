// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/open_set.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/evaluate/ranking.h"
#include "longshot/evaluate/values_test.h"

namespace longshot {
namespace {

using ::testing::ElementsAre;
using Truth = std::vector<Index>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double statistic(std::initializer_list<double> distances, OpenSetStatistic kind,
                 double zero = 0.0) {
  return open_set_statistic(values(distances), {kind, zero});
}

constexpr auto kAll = {OpenSetStatistic::kRatio, OpenSetStatistic::kMargin,
                       OpenSetStatistic::kAbsolute, OpenSetStatistic::kTestNorm};

TEST(OpenSetStatistic, HandCases) {
  // s1 = 2, s2 = 5, the others 5, 6, 10: mean 7, squared differences 4 + 1 + 9 = 14, / 2 = 7.
  const auto d = {6.0, 2.0, 10.0, 5.0};
  EXPECT_DOUBLE_EQ(statistic(d, OpenSetStatistic::kRatio), 0.6);
  EXPECT_DOUBLE_EQ(statistic(d, OpenSetStatistic::kMargin), 3.0);
  EXPECT_DOUBLE_EQ(statistic(d, OpenSetStatistic::kAbsolute), -2.0);
  EXPECT_DOUBLE_EQ(statistic(d, OpenSetStatistic::kTestNorm), 5.0 / std::sqrt(7.0));
  EXPECT_DOUBLE_EQ(open_set_statistic(values(d)), 0.6) << "the ratio is the default";
}

TEST(OpenSetStatistic, ATieForTheBestIsNoEvidence) {
  EXPECT_EQ(statistic({3, 3, 9}, OpenSetStatistic::kRatio), 0.0);
  EXPECT_EQ(statistic({3, 3, 9}, OpenSetStatistic::kMargin), 0.0);
  EXPECT_EQ(statistic({0.1, 0.1, 0.1}, OpenSetStatistic::kTestNorm), 0.0);
  EXPECT_EQ(statistic({0, 0}, OpenSetStatistic::kRatio), 0.0);
}

TEST(OpenSetStatistic, TestNormOfEqualOthersIsLargeAndFinite) {
  const double norm = statistic({1, 2, 2, 2}, OpenSetStatistic::kTestNorm);
  EXPECT_GT(norm, 1e6);
  EXPECT_TRUE(std::isfinite(norm));
}

TEST(OpenSetStatistic, RatioOfNegativeScoresNeedsItsZero) {
  // Measured from -10, the distances are 2 and 8.
  EXPECT_DOUBLE_EQ(statistic({-8, -2}, OpenSetStatistic::kRatio, -10), 0.75);
  // At or below the zero is a perfect match: against a worse one certain, against another not.
  EXPECT_EQ(statistic({-1, 4}, OpenSetStatistic::kRatio), 1.0);
  EXPECT_EQ(statistic({0, 4}, OpenSetStatistic::kRatio), 1.0);
  EXPECT_EQ(statistic({-2, -1}, OpenSetStatistic::kRatio), 0.0);
  EXPECT_EQ(statistic({-2, 0}, OpenSetStatistic::kRatio), 0.0);
}

TEST(OpenSetStatistic, RatioIsMonotoneInBothDistances) {
  for (int i = -6; i <= 6; ++i) {
    for (int j = -6; j < i; ++j) {
      const double second = 0.5 * i;
      const double first = 0.5 * j;
      const double ratio = statistic({first, second}, OpenSetStatistic::kRatio, -1);
      EXPECT_GE(ratio, 0.0);
      EXPECT_LE(ratio, 1.0);
      EXPECT_GE(statistic({first - 0.5, second}, OpenSetStatistic::kRatio, -1), ratio);
      EXPECT_GE(statistic({first, second + 0.5}, OpenSetStatistic::kRatio, -1), ratio);
    }
  }
}

TEST(OpenSetStatistic, RatioIgnoresUnitAndCommonOffset) {
  const double ratio = statistic({2, 5, 6}, OpenSetStatistic::kRatio);
  EXPECT_DOUBLE_EQ(statistic({14, 35, 42}, OpenSetStatistic::kRatio), ratio);
  EXPECT_DOUBLE_EQ(statistic({-5, -2, -1}, OpenSetStatistic::kRatio, -7), ratio);
}

TEST(OpenSetStatistic, NeedsEnoughPeople) {
  EXPECT_EQ(statistic({4}, OpenSetStatistic::kAbsolute), -4.0);
  EXPECT_THROW(statistic({4}, OpenSetStatistic::kRatio), Error);
  EXPECT_THROW(statistic({4}, OpenSetStatistic::kMargin), Error);
  EXPECT_THROW(statistic({4, 5}, OpenSetStatistic::kTestNorm), Error);
}

TEST(OpenSetStatistic, RefusesBadInput) {
  for (OpenSetStatistic kind : kAll) {
    EXPECT_THROW(statistic({}, kind), Error);
    EXPECT_THROW(statistic({1, 2, std::nan("")}, kind), Error);
    EXPECT_THROW(statistic({1, 2, kInfinity}, kind), Error);
    EXPECT_THROW(statistic({1, 2, 3}, kind, std::nan("")), Error);
  }
  EXPECT_THROW(statistic({1, 2, 3}, static_cast<OpenSetStatistic>(17)), Error);
}

TEST(RatioZero, IsTheLowestNegativeScoreOrZero) {
  EXPECT_EQ(ratio_zero(values({3, 1, 2})), 0.0);
  EXPECT_EQ(ratio_zero(values({3, -1, -4})), -4.0);
  EXPECT_THROW(ratio_zero(Matrix()), Error);
  EXPECT_THROW(ratio_zero(values({std::nan("")})), Error);
}

TEST(ThresholdAtFpir, HandCase) {
  // Descending: 5 4 3 2 1. "Above" is strict, so the threshold is a value that is itself kept out.
  const Vector impostors = values({2, 5, 1, 4, 3});
  EXPECT_EQ(threshold_at_fpir(impostors, 0.0).threshold, 5.0);
  EXPECT_EQ(threshold_at_fpir(impostors, 0.19).threshold, 5.0);
  EXPECT_EQ(threshold_at_fpir(impostors, 0.2).threshold, 4.0);
  EXPECT_EQ(threshold_at_fpir(impostors, 0.2).fpir, 0.2);
  EXPECT_EQ(threshold_at_fpir(impostors, 0.99).threshold, 1.0);
  EXPECT_EQ(threshold_at_fpir(impostors, 1.0).threshold, -kInfinity);
  EXPECT_EQ(threshold_at_fpir(impostors, 1.0).fpir, 1.0);
  EXPECT_EQ(threshold_at_fpir(impostors, 0.5).impostors, 5);
}

TEST(ThresholdAtFpir, TiesAreKeptOutTogether) {
  // One of four may pass, but the best two are equal: nobody does.
  const OpenSetThreshold two = threshold_at_fpir(values({7, 7, 1, 1}), 0.25);
  EXPECT_EQ(two.threshold, 7.0);
  EXPECT_EQ(two.fpir, 0.0);
  EXPECT_EQ(threshold_at_fpir(values({7, 7, 1, 1}), 0.5).threshold, 1.0);
  EXPECT_EQ(threshold_at_fpir(Vector::Constant(6, 2.0), 0.9).fpir, 0.0);
}

TEST(ThresholdAtFpir, DecimalRatesAreExact) {
  const Vector impostors = Vector::LinSpaced(100, 1, 100);
  for (Index percent = 0; percent < 100; ++percent) {
    const OpenSetThreshold result =
        threshold_at_fpir(impostors, static_cast<double>(percent) / 100.0);
    EXPECT_EQ(result.threshold, static_cast<double>(100 - percent));
    EXPECT_EQ(result.fpir, static_cast<double>(percent) / 100.0);
  }
}

TEST(ThresholdAtFpir, IsTheLowestThatHolds) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    Vector impostors(1 + random.below(30));
    for (double& x : impostors) x = static_cast<double>(random.below(8));
    const double fpir = random.uniform();
    const OpenSetThreshold result = threshold_at_fpir(impostors, fpir);
    EXPECT_LE(result.fpir, fpir);
    EXPECT_EQ(result.fpir, fpir_at_threshold(impostors, result.threshold));
    EXPECT_GT(fpir_at_threshold(impostors, result.threshold - 0.5), fpir);
  }
}

TEST(ThresholdAtFpir, RefusesBadInput) {
  EXPECT_THROW(threshold_at_fpir(Vector(), 0.1), Error);
  EXPECT_THROW(threshold_at_fpir(values({1, std::nan("")}), 0.1), Error);
  for (double bad : {-0.1, 1.1, std::nan("")}) {
    EXPECT_THROW(threshold_at_fpir(values({1}), bad), Error);
  }
  EXPECT_THROW(fpir_at_threshold(Vector(), 0.0), Error);
  EXPECT_THROW(fpir_at_threshold(values({1}), std::nan("")), Error);
}

// Two people; columns with s1, s2 and the ratio:
//   0: true 0, (1, 10)   right, 0.9       4: unknown, (3, 4)   0.25
//   1: true 1, (8, 4)    right, 0.5       5: unknown, (2, 5)   0.6
//   2: true 0, (9, 3)    wrong, 2/3       6: unknown, (7, 7)   0
//   3: true 1, (4, 3)    right, 0.25      7: unknown, (4, 2)   0.5
struct HandCase {
  Matrix distances{{1, 8, 9, 4, 3, 2, 7, 4}, {10, 4, 3, 3, 4, 5, 7, 2}};
  Truth truth = {0, 1, 0, 1, kNotEnrolled, kNotEnrolled, kNotEnrolled, kNotEnrolled};
};

TEST(OpenSetRates, HandCase) {
  const HandCase hand;
  const OpenSetScores scores = open_set_scores(hand.distances, hand.truth);
  EXPECT_THAT(scores.known, ElementsAre(0.9, 0.5, 1.0 - 3.0 / 9.0, 0.25));
  EXPECT_THAT(scores.ranked, ElementsAre(true, true, false, true));
  EXPECT_THAT(scores.unknown, ElementsAre(0.25, 0.6, 0.0, 0.5));
  // No false positive: threshold 0.6, only probe 0 is above it and right (2 is above but wrong).
  EXPECT_EQ(rates_at_fpir(scores, 0.01).dir, 0.25);
  EXPECT_EQ(rates_at_fpir(scores, 0.01).threshold, 0.6);
  EXPECT_EQ(rates_at_fpir(scores, 0.01).fpir, 0.0);
  // One of four: threshold 0.5, which probe 1 meets but does not exceed.
  EXPECT_EQ(rates_at_fpir(scores, 0.25).dir, 0.25);
  // Two of four: threshold 0.25, probes 0 and 1.
  EXPECT_EQ(rates_at_fpir(scores, 0.5).dir, 0.5);
  EXPECT_EQ(rates_at_fpir(scores, 0.75).dir, 0.75);
  EXPECT_EQ(rates_at_fpir(scores, 1.0).dir, 0.75);
  // A threshold from elsewhere.
  const OpenSetRates given = rates_at_threshold(scores, 0.4);
  EXPECT_EQ(given.dir, 0.5);
  EXPECT_EQ(given.fpir, 0.5);
}

TEST(OpenSetRates, AllEqualRecognisesNobody) {
  const OpenSetScores scores =
      open_set_scores(Matrix::Ones(3, 4), Truth{0, 1, kNotEnrolled, kNotEnrolled});
  for (double fpir : {0.0, 0.5, 1.0}) EXPECT_EQ(rates_at_fpir(scores, fpir).dir, 0.0);
}

TEST(OpenSetRates, PerfectSeparation) {
  // Leads of 8 over others at 9 -+ 1 against leads of 1 and 4 over others at 9 and 12.
  Matrix d(3, 4);
  d << 1, 10, 8, 9,  //
      8, 1, 9, 8,    //
      10, 8, 12, 12;
  for (OpenSetStatistic kind : kAll) {
    const OpenSetScores scores =
        open_set_scores(d, Truth{0, 1, kNotEnrolled, kNotEnrolled}, {kind, 0.0});
    EXPECT_EQ(rates_at_fpir(scores, 0.0).dir, 1.0);
  }
}

struct RandomCase {
  Matrix distances = Matrix(5, 400);
  Truth truth;
};
RandomCase random_case() {
  Random random(2);
  RandomCase data;
  for (Index j = 0; j < data.distances.cols(); ++j) {
    data.truth.push_back(random.below(6) - 1);
    for (Index i = 0; i < 5; ++i) {
      const double shift = data.truth.back() == i ? 1.0 : 2.5;
      data.distances(i, j) = std::abs(shift + 0.5 * random.normal());
    }
  }
  return data;
}

TEST(OpenSetRates, AtFpirOneIsRankOne) {
  const RandomCase data = random_case();
  const double rank_one = rank_one_rate(rank_true_people(data.distances, data.truth));
  EXPECT_LT(rank_one, 1.0);
  for (OpenSetStatistic kind : kAll) {
    const OpenSetScores scores = open_set_scores(data.distances, data.truth, {kind, 0.0});
    EXPECT_EQ(rates_at_fpir(scores, 1.0).dir, rank_one);
    double last = 0.0;
    for (double fpir : {0.0, 0.01, 0.1, 0.5, 1.0}) {
      const OpenSetRates rates = rates_at_fpir(scores, fpir);
      EXPECT_GE(rates.dir, last);
      EXPECT_LE(rates.fpir, fpir);
      last = rates.dir;
    }
  }
}

TEST(OpenSetRates, InvariantUnderIncreasingTransforms) {
  const RandomCase data = random_case();
  const auto dir = [&](const Matrix& d, OpenSetStatistic kind) {
    return rates_at_fpir(open_set_scores(d, data.truth, {kind, 0.0}), 0.1).dir;
  };
  // The best distance follows any transform; of the ratio, 1 - (s1/s2)^2 is a transform.
  const Matrix squared = data.distances.array().square();
  for (OpenSetStatistic kind : {OpenSetStatistic::kAbsolute, OpenSetStatistic::kRatio}) {
    EXPECT_GT(dir(data.distances, kind), 0.1);
    EXPECT_EQ(dir(squared, kind), dir(data.distances, kind));
  }
  // Of the statistics themselves, any transform does.
  OpenSetScores scores = open_set_scores(data.distances, data.truth);
  const double before = rates_at_fpir(scores, 0.1).dir;
  scores.known = scores.known.array().exp();
  scores.unknown = scores.unknown.array().exp();
  EXPECT_EQ(rates_at_fpir(scores, 0.1).dir, before);
}

TEST(OpenSetRates, AppendingRunsPoolsThem) {
  const HandCase hand;
  const OpenSetScores whole = open_set_scores(hand.distances, hand.truth);
  OpenSetScores pooled;
  append(pooled, open_set_scores(hand.distances.leftCols(5), std::span(hand.truth).first(5)));
  append(pooled, open_set_scores(hand.distances.rightCols(3), std::span(hand.truth).last(3)));
  EXPECT_EQ(pooled.known, whole.known);
  EXPECT_EQ(pooled.unknown, whole.unknown);
  EXPECT_EQ(pooled.ranked, whole.ranked);
}

TEST(OpenSetRates, RefusesMissingKinds) {
  const Matrix d{{1, 2}, {3, 4}};
  EXPECT_THROW(rates_at_fpir(open_set_scores(d, Truth{0, 0}), 0.1), Error);
  EXPECT_THROW(rates_at_fpir(open_set_scores(d, Truth{-1, -1}), 0.1), Error);
  EXPECT_THROW(rates_at_threshold(OpenSetScores{}, 0.0), Error);
  EXPECT_THROW(open_set_scores(d.topRows(1), Truth{0, -1}), Error);
  EXPECT_THROW(open_set_scores(Matrix(2, 0), Truth{}), Error);
}

}  // namespace
}  // namespace longshot
