// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longshot {
namespace {

using testing::HasSubstr;

// A run of `probes` probes of which those from `from` to before `to` are ranked first.
Ranks ranks_of(Index probes, Index from, Index to) {
  Ranks ranks;
  for (Index i = 0; i < probes; ++i) {
    ranks.rank.push_back(i >= from && i < to ? 1 : 2);
    ranks.equal.push_back(0);
  }
  ranks.enrolled = probes;
  return ranks;
}

ExperimentResult result_of(const std::string& method, Size size, double rank1,
                           std::vector<Ranks> ranks, std::size_t draws = 1) {
  ExperimentResult result;
  result.method = method;
  result.size = size;
  result.rank1 = rank1;
  result.ranks = std::move(ranks);
  result.draw_rank1.assign(draws, rank1);
  return result;
}

TEST(ReportFindings, CountsOverRunsAndNamesTheBest) {
  const std::vector<Ranks> good = {ranks_of(10, 0, 9), ranks_of(10, 0, 7)};
  const std::vector<Ranks> poor = {ranks_of(10, 3, 9), ranks_of(10, 5, 8)};
  const auto findings = find_best_methods(
      {result_of("poor", {7, 6}, 45.0, poor), result_of("good", {7, 6}, 80.0, good)});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].best, "good");
  ASSERT_EQ(findings[0].others.size(), 1U);
  const MethodComparison& other = findings[0].others[0];
  EXPECT_EQ(other.test.only_first, 8);
  EXPECT_EQ(other.test.only_second, 1);
  // Two-sided binomial: 2 (C(9,0) + C(9,1)) / 2^9.
  EXPECT_NEAR(other.test.p, 20.0 / 512.0, 1e-12);
  EXPECT_EQ(other.adjusted, other.test.p);
  EXPECT_THAT(to_sentence(findings[0]),
              HasSubstr("At 7x6 good is best, 80.0 % rank one, 35.0 points ahead of poor; the "
                        "difference is significant (p = 0.039)"));
}

TEST(ReportFindings, RepeatedDrawsAddNoEvidence) {
  const std::vector<Ranks> good(4, ranks_of(10, 0, 6));
  const std::vector<Ranks> poor(4, ranks_of(10, 0, 2));
  const auto findings = find_best_methods(
      {result_of("good", {7, 6}, 60.0, good, 4), result_of("poor", {7, 6}, 20.0, poor, 4)});
  EXPECT_EQ(findings[0].others[0].test.only_first, 4);
  EXPECT_NEAR(findings[0].others[0].test.p, 0.125, 1e-12);
  EXPECT_THAT(to_sentence(findings[0]), HasSubstr("cannot tell that from chance (p = 0.12)"));
}

TEST(ReportFindings, AdjustsForTheNumberOfComparisons) {
  // p = 2 / 2^6 and 2 / 2^7 against the best.
  const auto findings = find_best_methods({result_of("a", {7, 6}, 80.0, {ranks_of(10, 0, 8)}),
                                           result_of("b", {7, 6}, 20.0, {ranks_of(10, 0, 2)}),
                                           result_of("c", {7, 6}, 10.0, {ranks_of(10, 0, 1)})});
  const auto& others = findings[0].others;
  EXPECT_EQ(others[0].method, "b");
  EXPECT_NEAR(others[1].adjusted, 2.0 * 2.0 / 128.0, 1e-12);
  EXPECT_NEAR(others[0].adjusted, 2.0 / 64.0, 1e-12);
}

TEST(ReportFindings, SeparatesSizesAndNoise) {
  std::vector<ExperimentResult> results;
  for (const double noise : {0.0, 5.0}) {
    results.push_back(result_of("a", {7, 6}, 50.0, {ranks_of(4, 0, 2)}));
    results.back().noise = noise;
  }
  results.push_back(result_of("a", {12, 10}, 50.0, {ranks_of(4, 0, 2)}));
  const auto findings = find_best_methods(results);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[1].noise, 5.0);
  EXPECT_EQ(findings[2].size, (Size{12, 10}));
  EXPECT_EQ(to_sentence(findings[2]),
            "At 12x10 a ranks the right person first for 50.0 % of the probes.");
}

TEST(ReportFindings, EqualMethodsAreCalledEqual) {
  const auto findings = find_best_methods({result_of("a", {7, 6}, 50.0, {ranks_of(4, 0, 2)}),
                                           result_of("b", {7, 6}, 50.0, {ranks_of(4, 1, 3)})});
  EXPECT_EQ(to_sentence(findings[0]), "At 7x6 a and b are equally good, 50.0 % rank one.");
}

}  // namespace
}  // namespace longshot
