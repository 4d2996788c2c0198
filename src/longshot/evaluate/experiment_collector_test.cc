// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_collector.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

Collector two_draws() {
  Collector collector;
  collector.rank1 = {{50.0, 100.0}, {100.0, 100.0}};
  const Vector curve = Vector::Constant(kRanks, 100.0);
  collector.cmc = {{curve, curve}, {curve, curve}};
  collector.correct = 7;
  collector.tried = 8;
  collector.people = 4;
  collector.probes = 4;
  collector.genuine = {0.1, 0.2};
  collector.impostor = {0.5, 0.6};
  collector.enrol_ms = {1.0, 3.0};
  collector.identify_ms = 4.0;
  for (Index i = 0; i < 5; ++i) collector.confusions.push_back({i, 0, 0, static_cast<double>(i)});
  return collector;
}

TEST(Collector, MeansAreOverDraws) {
  Collector collector = two_draws();
  collector.dir[0] = {10.0, 30.0};
  ExperimentOptions options;
  options.kept_confusions = 2;
  const ExperimentResult result = summarise(collector, options);
  EXPECT_DOUBLE_EQ(result.rank1, 87.5);
  EXPECT_EQ(result.draw_rank1, (std::vector<double>{75.0, 100.0}));
  EXPECT_DOUBLE_EQ(result.dir_at_fpir.at(kFpirs[0]), 20.0);
  EXPECT_FALSE(result.dir_at_fpir.contains(kFpirs[1]));
  EXPECT_DOUBLE_EQ(result.enrol_ms, 2.0);
  EXPECT_DOUBLE_EQ(result.identify_ms, 2.0);
  EXPECT_DOUBLE_EQ(result.equal_error_rate, 0.0);
  ASSERT_EQ(result.confusions.size(), 2U);
  EXPECT_EQ(result.confusions[0].margin, 4.0);
}

TEST(Collector, DecisionsAreGivenWhereThereWereStrangers) {
  const ExperimentOptions options;
  Collector collector = two_draws();
  EXPECT_TRUE(summarise(collector, options).decided.empty());
  collector = two_draws();
  collector.decided[1] = {200, 3, 10, 4};
  const ExperimentResult result = summarise(collector, options);
  ASSERT_EQ(result.decided.size(), 1U);
  EXPECT_DOUBLE_EQ(result.decided.at(kAskedFpirs[1]).fpir(), 0.015);
  EXPECT_DOUBLE_EQ(result.decided.at(kAskedFpirs[1]).dir(), 0.4);
}

}  // namespace
}  // namespace longshot
