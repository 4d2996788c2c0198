// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/person_scorer.h"

#include <gtest/gtest.h>

#include "longshot/core/parallel.h"
#include "longshot/search/random_values_test.h"
#include "longshot/search/subspace_block.h"
#include "longshot/search/subspace_people_test.h"

namespace longshot {
namespace {

constexpr Index kProbeDimensions = 12;

SubspaceBlock people_of(const std::vector<std::uint64_t>& seeds) {
  SubspaceBlock block(kProbeDimensions);
  for (const std::uint64_t seed : seeds) {
    add_subspace(block, random_basis(kProbeDimensions, 4, seed), Vector::Zero(kProbeDimensions));
  }
  return block;
}

std::vector<std::uint64_t> different(Index count) {
  std::vector<std::uint64_t> seeds;
  for (Index i = 0; i < count; ++i) seeds.push_back(static_cast<std::uint64_t>(i));
  return seeds;
}

void expect_same(const Matches& actual, const Matches& expected) {
  EXPECT_EQ(actual.people, expected.people);
  EXPECT_TRUE(actual.distances.isApprox(expected.distances, 1e-12));
}

TEST(SearchPeople, FindsExactlyTheNearestOfAllDistances) {
  const SubspaceBlock block = people_of(different(9001));
  const Matrix probes = random_values(kProbeDimensions, 100, 1);
  const Matrix distances = all_distances(block, probes);
  for (const Index top : {1, 5, 40}) {
    expect_same(search_people(block, probes, top), nearest_people(distances, top));
  }
}

TEST(SearchPeople, FindsTheSameForFewProbesAndForMoreThanOnePass) {
  const SubspaceBlock block = people_of(different(600));
  const Matrix probes = random_values(kProbeDimensions, 501, 1);
  const Matches expected = nearest_people(all_distances(block, probes), 3);
  expect_same(search_people(block, probes, 3), expected);
  for (const Index count : {1, 2, 3, 4}) {
    const Matches few = search_people(block, probes.leftCols(count), 3);
    EXPECT_EQ(few.people, expected.people.leftCols(count));
  }
}

TEST(SearchPeople, PutsEqualPeopleInOrderOfEnrolment) {
  // Everybody is there a hundred times, so that single precision cannot even propose all.
  std::vector<std::uint64_t> seeds;
  for (Index i = 0; i < 700; ++i) seeds.push_back(static_cast<std::uint64_t>(i % 7));
  const SubspaceBlock block = people_of(seeds);
  const Matrix probes = random_values(kProbeDimensions, 30, 1);
  const Matches found = search_people(block, probes, 60);
  for (Index j = 0; j < probes.cols(); ++j) {
    for (Index k = 0; k < 60; ++k) {
      EXPECT_EQ(found.people(k, j), found.people(0, j) % 7 + 7 * k) << j;
    }
  }
}

TEST(SearchPeople, DoesNotDependOnTheThreadCount) {
  const SubspaceBlock block = people_of(different(9001));
  const Matrix probes = random_values(kProbeDimensions, 30, 1);
  set_thread_count(1);
  const Matches one = search_people(block, probes, 5);
  set_thread_count(0);
  const Matches all = search_people(block, probes, 5);
  EXPECT_EQ(one.people, all.people);
  EXPECT_EQ(one.distances, all.distances);
}

TEST(SearchPeople, LeavesAProbeWithoutContentToNobody) {
  const SubspaceBlock block = people_of(different(500));
  Matrix probes = random_values(kProbeDimensions, 30, 1);
  const Matches before = search_people(block, probes, 2);
  probes.col(7).setZero();
  const Matches found = search_people(block, probes, 2);
  EXPECT_EQ(found.people.col(7), (Eigen::Vector<Index, 2>(0, 1)));
  EXPECT_EQ(found.distances.col(7), Eigen::Vector2d::Constant(block.far()));
  EXPECT_EQ(found.people.col(8), before.people.col(8));
}

TEST(SearchPeople, TakesNoProbesAndMorePeopleThanThereAre) {
  const SubspaceBlock block = people_of(different(300));
  EXPECT_EQ(search_people(block, Matrix(kProbeDimensions, 0), 5).people.cols(), 0);
  EXPECT_EQ(search_people(block, random_values(kProbeDimensions, 1, 1), 1000).people.rows(), 300);
}

}  // namespace
}  // namespace longshot
