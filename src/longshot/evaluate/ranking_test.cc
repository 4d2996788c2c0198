// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/ranking.h"

#include <cmath>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

using ::testing::ElementsAre;
using Truth = std::vector<Index>;

// Three people, five probes. By column:
//   0: true 0 at 1, best                    rank 1
//   1: true 1 at 5; better 2, 3             rank 3
//   2: true 2 at 4; equal 4 (0), worse 9    rank 2, one tie
//   3: true 0 at 7; all equal               rank 3, two ties
//   4: not enrolled                         none
Matrix hand_distances() {
  Matrix d(3, 5);
  d << 1, 2, 4, 7, 1,  //
      2, 5, 9, 7, 1,   //
      3, 3, 4, 7, 2;
  return d;
}
Truth hand_truth() {
  return {0, 1, 2, 0, kNotEnrolled};
}

Matrix random_distances(Index people, Index probes, std::uint64_t seed) {
  Random random(seed);
  // Whole numbers of a small range, so that ties are common.
  Matrix d(people, probes);
  for (double& x : d.reshaped()) x = static_cast<double>(random.below(12));
  return d;
}
Truth random_truth(Index people, Index probes, std::uint64_t seed) {
  Random random(seed);
  Truth truth;
  for (Index i = 0; i < probes; ++i) truth.push_back(random.below(people + 1) - 1);
  return truth;
}

TEST(Ranks, TiesCountAgainstTheMethod) {
  const Ranks ranks = rank_true_people(hand_distances(), hand_truth());
  EXPECT_THAT(ranks.rank, ElementsAre(1, 3, 2, 3, 0));
  EXPECT_THAT(ranks.equal, ElementsAre(0, 0, 1, 2, 0));
  EXPECT_EQ(ranks.enrolled, 4);
  EXPECT_EQ(ranks.tied, 2);
}

TEST(Ranks, OnePersonIsAlwaysFirst) {
  const Ranks ranks = rank_true_people(Matrix::Constant(1, 1, -3.0), Truth{0});
  EXPECT_THAT(ranks.rank, ElementsAre(1));
  EXPECT_EQ(ranks.tied, 0);
}

TEST(Ranks, AllEqualIsTheWorst) {
  const Ranks ranks = rank_true_people(Matrix::Zero(7, 3), Truth{0, 3, 6});
  EXPECT_THAT(ranks.rank, ElementsAre(7, 7, 7));
  EXPECT_EQ(rank_one_rate(ranks), 0.0);
}

TEST(Ranks, InvariantUnderIncreasingTransforms) {
  const Matrix d = random_distances(6, 200, 1);
  const Truth truth = random_truth(6, 200, 2);
  const Ranks ranks = rank_true_people(d, truth);
  EXPECT_EQ(rank_true_people(d.array().exp() - 40.0, truth).rank, ranks.rank);
  // A different transform for each probe changes nothing either.
  Matrix scaled = d;
  for (Index j = 0; j < d.cols(); ++j) scaled.col(j) *= static_cast<double>(1 + j);
  EXPECT_EQ(rank_true_people(scaled, truth).rank, ranks.rank);
  EXPECT_EQ(rank_true_people(scaled, truth).equal, ranks.equal);
}

TEST(Ranks, PermutingPeopleChangesNothing) {
  const Matrix d = random_distances(6, 100, 3);
  Truth truth = random_truth(6, 100, 4);
  const Ranks ranks = rank_true_people(d, truth);
  for (Index& person : truth) {
    if (person != kNotEnrolled) person = 5 - person;
  }
  EXPECT_EQ(rank_true_people(d.colwise().reverse(), truth).rank, ranks.rank);
}

TEST(Ranks, RefusesBadInput) {
  const Matrix d = hand_distances();
  EXPECT_THROW(rank_true_people(Matrix(0, 2), Truth{0, 0}), Error);
  EXPECT_THROW(rank_true_people(Matrix(3, 0), Truth{}), Error);
  EXPECT_THROW(rank_true_people(d, Truth{0, 1}), Error);
  EXPECT_THROW(rank_true_people(d, Truth{0, 1, 2, 3, 0}), Error);
  EXPECT_THROW(rank_true_people(d, Truth{0, 1, 2, -2, 0}), Error);
  for (double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    // Also where neither the true nor the best person is concerned, and on unenrolled probes.
    Matrix worst = d;
    worst(2, 0) = bad;
    EXPECT_THROW(rank_true_people(worst, hand_truth()), Error);
    Matrix unenrolled = d;
    unenrolled(0, 4) = bad;
    EXPECT_THROW(rank_true_people(unenrolled, hand_truth()), Error);
  }
}

TEST(CumulativeMatch, HandCase) {
  // Ranks 1, 3, 2, 3 of four enrolled probes.
  const Ranks ranks = rank_true_people(hand_distances(), hand_truth());
  EXPECT_THAT(cumulative_match(ranks, 5), ElementsAre(0.25, 0.5, 1.0, 1.0, 1.0));
  EXPECT_EQ(rank_one_rate(ranks), 0.25);
  EXPECT_THAT(cumulative_match(ranks, 1), ElementsAre(0.25));
}

TEST(CumulativeMatch, RisesToOneAtTheNumberOfPeople) {
  const Ranks ranks = rank_true_people(random_distances(9, 300, 5), random_truth(9, 300, 6));
  const Vector curve = cumulative_match(ranks, 9);
  EXPECT_EQ(curve(0), rank_one_rate(ranks));
  for (Index k = 1; k < 9; ++k) EXPECT_GE(curve(k), curve(k - 1));
  EXPECT_LT(curve(0), 0.5);
  EXPECT_EQ(curve(8), 1.0);
}

TEST(CumulativeMatch, PerfectMethod) {
  const Matrix d = Matrix::Ones(4, 4) - Matrix::Identity(4, 4);
  const Ranks ranks = rank_true_people(d, Truth{0, 1, 2, 3});
  EXPECT_EQ(rank_one_rate(ranks), 1.0);
  EXPECT_TRUE(confusions(d, Truth{0, 1, 2, 3}).empty());
}

TEST(CumulativeMatch, RefusesBadInput) {
  const Ranks ranks = rank_true_people(hand_distances(), hand_truth());
  EXPECT_THROW(cumulative_match(ranks, 0), Error);
  const Ranks nobody = rank_true_people(Matrix::Zero(2, 1), Truth{kNotEnrolled});
  EXPECT_THROW(cumulative_match(nobody, 1), Error);
  EXPECT_THROW(rank_one_rate(nobody), Error);
  EXPECT_THROW(rank_one_rate(Ranks{}), Error);
}

TEST(CompareRankOne, CountsWhatOnlyOneGetsRight) {
  // Of four enrolled probes the first method has 0 right; the second has 1 and 2, and 3 by itself.
  const Ranks first = rank_true_people(hand_distances(), hand_truth());
  Matrix other(3, 5);
  other << 2, 2, 4, 1, 1,  //
      1, 1, 9, 7, 1,       //
      3, 3, 3, 7, 2;
  const McNemar result = compare_rank_one(first, rank_true_people(other, hand_truth()));
  EXPECT_EQ(result.only_first, 1);
  EXPECT_EQ(result.only_second, 3);
  EXPECT_DOUBLE_EQ(result.p, 10.0 / 16.0);  // 2 (1 + 4) / 16
}

TEST(CompareRankOne, RefusesOtherProbes) {
  const Ranks ranks = rank_true_people(hand_distances(), hand_truth());
  const Ranks fewer = rank_true_people(hand_distances().leftCols(2), Truth{0, 1});
  EXPECT_THROW(compare_rank_one(ranks, fewer), Error);
  const Ranks others = rank_true_people(hand_distances(), Truth{kNotEnrolled, 1, 2, 0, 1});
  EXPECT_THROW(compare_rank_one(ranks, others), Error);
}

TEST(Confusions, WorstFirst) {
  // Probe 1: 5 against 2 of person 0, margin 3. Probes 2 and 3 are ties, margin 0, in probe order;
  // probe 3 is person 0, so the first of the others is 1.
  const std::vector<Confusion> list = confusions(hand_distances(), hand_truth());
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].probe, 1);
  EXPECT_EQ(list[0].truth, 1);
  EXPECT_EQ(list[0].chosen, 0);
  EXPECT_EQ(list[0].margin, 3.0);
  EXPECT_EQ(list[1].probe, 2);
  EXPECT_EQ(list[1].chosen, 0);
  EXPECT_EQ(list[1].margin, 0.0);
  EXPECT_EQ(list[2].probe, 3);
  EXPECT_EQ(list[2].chosen, 1);
}

TEST(Confusions, AsManyAsRankOneMisses) {
  const Matrix d = random_distances(8, 150, 7);
  const Truth truth = random_truth(8, 150, 8);
  const Ranks ranks = rank_true_people(d, truth);
  const auto misses = static_cast<double>(confusions(d, truth).size());
  EXPECT_DOUBLE_EQ(rank_one_rate(ranks), 1.0 - misses / static_cast<double>(ranks.enrolled));
}

}  // namespace
}  // namespace longshot
