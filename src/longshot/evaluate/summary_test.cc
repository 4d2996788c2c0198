// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/summary.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(Summary, HandCase) {
  // Draw means 2, 4, 9: mean 5, squared differences 9 + 1 + 16 = 26, deviation sqrt(13).
  // All runs 1, 3, 2, 6, 9, 9: mean 5, squares 16 + 4 + 9 + 1 + 16 + 16 = 62, deviation sqrt(12.4).
  const Summary summary = summarise({{1, 3}, {2, 6}, {9, 9}});
  EXPECT_DOUBLE_EQ(summary.mean, 5.0);
  EXPECT_DOUBLE_EQ(summary.draw_deviation, std::sqrt(13.0));
  EXPECT_DOUBLE_EQ(summary.run_deviation, std::sqrt(12.4));
  EXPECT_EQ(summary.draws, 3);
  EXPECT_EQ(summary.runs, 6);
}

TEST(Summary, EveryDrawCountsTheSame) {
  EXPECT_DOUBLE_EQ(summarise({{0, 0, 0}, {1}}).mean, 0.5);
}

TEST(Summary, OneDrawHasNoDeviationOverDraws) {
  const Summary summary = summarise({{1, 3}});
  EXPECT_EQ(summary.draw_deviation, 0.0);
  EXPECT_DOUBLE_EQ(summary.run_deviation, std::sqrt(2.0));
  EXPECT_EQ(summarise({{4}}).run_deviation, 0.0);
}

TEST(Summary, RefusesBadInput) {
  EXPECT_THROW(summarise({}), Error);
  EXPECT_THROW(summarise({{1}, {}}), Error);
  EXPECT_THROW(summarise({{1, std::nan("")}}), Error);
}

TEST(MeanCurve, AveragesRunsThenDraws) {
  const Vector a = Vector::Constant(2, 1.0);
  const Vector b{{3.0, 5.0}};
  const Vector c{{0.0, 1.0}};
  // The first draw gives (2, 3), the second (0, 1).
  EXPECT_THAT(mean_curve({{a, b}, {c}}), ::testing::ElementsAre(1.0, 2.0));
}

TEST(MeanCurve, RefusesBadInput) {
  EXPECT_THROW(mean_curve({}), Error);
  EXPECT_THROW(mean_curve({{}}), Error);
  EXPECT_THROW(mean_curve({{Vector::Zero(2), Vector::Zero(3)}}), Error);
  EXPECT_THROW(mean_curve({{Vector::Constant(1, std::nan(""))}}), Error);
}

}  // namespace
}  // namespace longshot
