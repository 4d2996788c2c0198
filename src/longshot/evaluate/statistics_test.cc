// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/statistics.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using Values = std::vector<double>;

TEST(MeanAndDeviation, HandCase) {
  // Mean 40 / 8 = 5; squared differences 9 + 1 + 1 + 1 + 0 + 0 + 4 + 16 = 32; sqrt(32 / 7).
  const MeanAndDeviation result = mean_and_deviation(Values{2, 4, 4, 4, 5, 5, 7, 9});
  EXPECT_DOUBLE_EQ(result.mean, 5.0);
  EXPECT_DOUBLE_EQ(result.deviation, std::sqrt(32.0 / 7.0));
  EXPECT_EQ(result.count, 8);
}

TEST(MeanAndDeviation, OneValueHasNoDeviation) {
  EXPECT_EQ(mean_and_deviation(Values{3}).deviation, 0.0);
}

TEST(MeanAndDeviation, LargeOffsetDoesNotCancel) {
  EXPECT_DOUBLE_EQ(mean_and_deviation(Values{1e9 + 1, 1e9 + 2, 1e9 + 3}).deviation, 1.0);
}

TEST(Percentile, InterpolatesBetweenOrderStatistics) {
  const Values values = {40, 10, 30, 20};
  EXPECT_DOUBLE_EQ(percentile(values, 0), 10.0);
  EXPECT_DOUBLE_EQ(percentile(values, 100), 40.0);
  EXPECT_DOUBLE_EQ(median(values), 25.0);          // position 1.5
  EXPECT_DOUBLE_EQ(percentile(values, 90), 37.0);  // position 2.7: 30 + 0.7 * 10
  EXPECT_DOUBLE_EQ(median(Values{3, 1, 2}), 2.0);
  EXPECT_DOUBLE_EQ(percentile(Values{7}, 12.5), 7.0);
}

TEST(Statistics, RefuseBadSamples) {
  EXPECT_THROW(mean_and_deviation(Values{}), Error);
  EXPECT_THROW(mean_and_deviation(Values{1, kNan}), Error);
  EXPECT_THROW(median(Values{}), Error);
  EXPECT_THROW(median(Values{kNan}), Error);
  EXPECT_THROW(percentile(Values{1}, -1), Error);
  EXPECT_THROW(percentile(Values{1}, 101), Error);
  EXPECT_THROW(percentile(Values{1}, kNan), Error);
}

TEST(NormalQuantile, TabulatedValues) {
  EXPECT_EQ(normal_quantile(0.5), 0.0);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-13);
  EXPECT_NEAR(normal_quantile(0.995), 2.575829303548901, 1e-13);
  EXPECT_NEAR(normal_quantile(0.001), -3.090232306167813, 1e-13);
}

TEST(NormalQuantile, InvertsTheDistribution) {
  for (double p : {1e-12, 1e-6, 0.01, 0.3, 0.4999, 0.5001, 0.7, 0.999}) {
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)) / p, 1.0, 1e-12) << p;
  }
  EXPECT_THROW(normal_quantile(0.0), Error);
  EXPECT_THROW(normal_quantile(1.0), Error);
  EXPECT_THROW(normal_quantile(kNan), Error);
}

TEST(WilsonInterval, KnownAnswers) {
  // z = 1.959964, n = 10, p = 0.8: centre (0.8 + 0.192073) / 1.384146 = 0.716740,
  // half 1.959964 sqrt(0.016 + 0.0096036) / 1.384146 = 0.226578.
  const Interval interval = wilson_interval(8, 10);
  EXPECT_NEAR(interval.low, 0.490162, 1e-6);
  EXPECT_NEAR(interval.high, 0.943318, 1e-6);
}

TEST(WilsonInterval, EndsAreExact) {
  // With no success the upper end is z^2 / (n + z^2) = 3.841459 / 13.841459.
  const Interval none = wilson_interval(0, 10);
  EXPECT_EQ(none.low, 0.0);
  EXPECT_NEAR(none.high, 0.277533, 1e-6);
  const Interval all = wilson_interval(10, 10);
  EXPECT_EQ(all.high, 1.0);
  EXPECT_NEAR(all.low, 1.0 - none.high, 1e-15);
}

TEST(WilsonInterval, NarrowsWithTrialsAndWidensWithConfidence) {
  const auto width = [](const Interval& i) { return i.high - i.low; };
  EXPECT_LT(width(wilson_interval(50, 100)), width(wilson_interval(5, 10)));
  EXPECT_LT(width(wilson_interval(5, 10, 0.9)), width(wilson_interval(5, 10, 0.99)));
}

TEST(WilsonInterval, RefusesWhatIsNoProportion) {
  EXPECT_THROW(wilson_interval(0, 0), Error);
  EXPECT_THROW(wilson_interval(-1, 3), Error);
  EXPECT_THROW(wilson_interval(4, 3), Error);
  EXPECT_THROW(wilson_interval(1, 3, 1.0), Error);
  EXPECT_THROW(wilson_interval(1, 3, kNan), Error);
}

TEST(McNemar, ExactForFewProbes) {
  // P(at most 1 of 6) = (1 + 6) / 64, twice: 14 / 64.
  const McNemar result = mcnemar_test(1, 5);
  EXPECT_TRUE(result.exact);
  EXPECT_DOUBLE_EQ(result.p, 14.0 / 64.0);
  // All 5 on one side: 2 / 32.
  EXPECT_DOUBLE_EQ(mcnemar_test(5, 0).p, 2.0 / 32.0);
  // (1 + 10 + 45) / 1024, twice.
  EXPECT_DOUBLE_EQ(mcnemar_test(8, 2).p, 112.0 / 1024.0);
}

TEST(McNemar, NoDifferenceIsNoEvidence) {
  EXPECT_EQ(mcnemar_test(0, 0).p, 1.0);
  EXPECT_EQ(mcnemar_test(3, 3).p, 1.0);  // the two halves overlap in the middle term
  EXPECT_EQ(mcnemar_test(50, 50).p, 1.0);
}

TEST(McNemar, CorrectedChiSquareForMany) {
  // (|40 - 20| - 1)^2 / 60 = 361 / 60 = 6.016667; p = erfc(sqrt(6.016667 / 2)) = 0.0141714.
  const McNemar result = mcnemar_test(40, 20);
  EXPECT_FALSE(result.exact);
  EXPECT_NEAR(result.p, 0.0141714, 1e-7);
}

TEST(McNemar, SymmetricAndContinuousAtTheSwitch) {
  EXPECT_EQ(mcnemar_test(7, 13).p, mcnemar_test(13, 7).p);
  EXPECT_TRUE(mcnemar_test(17, 7).exact);
  EXPECT_FALSE(mcnemar_test(17, 8).exact);
  // 25 throws, at most 8 heads: exactly 0.107752 (sum of C(25, i), i <= 8, is 1807781, over 2^24).
  EXPECT_NEAR(mcnemar_test(17, 8).p, 1807781.0 / 16777216.0, 0.003);
  EXPECT_THROW(mcnemar_test(-1, 2), Error);
}

}  // namespace
}  // namespace longshot
