// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/soft_subspace_block.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "longshot/search/block_test.h"
#include "longshot/search/random_values_test.h"
#include "longshot/search/soft_subspace_people_test.h"

namespace longshot {
namespace {

constexpr Index kSoftDimensions = 10;

SoftSubspace some_soft_person(std::uint64_t seed, Index rank, Index samples) {
  SoftSubspace person;
  person.mean = random_values(kSoftDimensions, 1, seed).col(0);
  person.basis = random_basis(kSoftDimensions, rank, seed + 1000);
  person.shrinkage = Vector::LinSpaced(rank, 0.9, 0.2);
  person.offset = 1.5;
  person.samples = 0.02 * random_values(rank + 2, samples, seed + 2000);
  return person;
}

TEST(SoftSubspaceBlock, DistancesFollowTheirDefinition) {
  const SoftSubspace person = some_soft_person(1, 3, 5);
  const Matrix probes = random_values(kSoftDimensions, 4, 2);
  SoftSubspaceBlock block(kSoftDimensions, 7.0);
  add_soft_subspace(block, person);
  const Vector distances = block.distances(0, probes);
  for (Index j = 0; j < probes.cols(); ++j) {
    const Vector away = probes.col(j) - person.mean;
    Vector codes(5);
    codes << person.basis.transpose() * away, person.mean.dot(away), 1.0;
    double expected = away.squaredNorm() + person.offset;
    for (Index k = 0; k < 3; ++k) expected -= person.shrinkage[k] * codes[k] * codes[k];
    const double cosine = (person.samples.transpose() * codes).maxCoeff() / probes.col(j).norm();
    expected += 7.0 * (1.0 - std::min(1.0, cosine));
    EXPECT_NEAR(distances[j], expected, 1e-5);
  }
}

TEST(SoftSubspaceBlock, ScoresAreNearDistances) {
  for (const double weight : {0.0, 3.0}) {
    SoftSubspaceBlock block(kSoftDimensions, weight);
    for (Index i = 0; i < 20; ++i) {
      add_soft_subspace(block,
                        some_soft_person(static_cast<std::uint64_t>(i), 2 + i % 3, 4 + i % 3));
    }
    // Cosines beyond 1 are cut in double precision only, and do not occur with real samples.
    expect_scores_near_distances(block, 3.0 * random_values(kSoftDimensions, 30, 4), 2e-4);
  }
}

// Samples within the subspace, as people have them; `inside`: the mean lies in the span of the
// basis, so that no bound is to be had.
SoftSubspace real_soft_person(std::uint64_t seed, bool inside) {
  SoftSubspace person = some_soft_person(seed, 4, 6);
  if (inside) person.mean = person.basis * person.basis.transpose() * person.mean;
  const Matrix codes = random_values(4, 6, seed + 3000);
  for (Index j = 0; j < 6; ++j) {
    const Vector sample = person.mean + person.basis * codes.col(j);
    person.samples.col(j) << codes.col(j), 1.0, person.mean.dot(sample);
    person.samples.col(j) /= sample.norm();
  }
  return person;
}

enum class Crowd { kReal, kInside, kAnySamples, kAlike };

SoftSubspaceBlock block_of(Crowd crowd, Index people) {
  SoftSubspaceBlock block(kSoftDimensions, 30.0);
  for (Index i = 0; i < people; ++i) {
    const auto seed = static_cast<std::uint64_t>(crowd == Crowd::kAlike ? 1 : i);
    add_soft_subspace(block, crowd == Crowd::kAnySamples
                                 ? some_soft_person(seed, 3, 5)
                                 : real_soft_person(seed, crowd == Crowd::kInside));
  }
  return block;
}

TEST(SoftSubspaceBlock, LimitsRuleOutNobodyBelowThem) {
  for (const Crowd crowd : {Crowd::kReal, Crowd::kInside, Crowd::kAnySamples, Crowd::kAlike}) {
    const SoftSubspaceBlock block = block_of(crowd, 200);
    const Matrix probes = random_values(kSoftDimensions, 48, 4);
    for (const double scale : {0.01, 1.0, 100.0}) {
      for (const double share : {0.0, 0.01, 0.3}) {
        expect_limits_to_be_kept(block, scale * probes, share);
      }
    }
  }
}

TEST(SoftSubspaceBlock, LimitsRuleOutMostOthers) {
  const SoftSubspaceBlock block = block_of(Crowd::kReal, 500);
  const ProbeTiles probes(random_values(kSoftDimensions, 1, 4));
  std::vector<float> scores(500, std::numeric_limits<float>::infinity());
  block.score_probe(0, 500, probes, 0, scores.data());
  const float limit = *std::ranges::min_element(scores) + 1.0F;
  std::ranges::fill(scores, limit);
  block.score_probe(0, 500, probes, 0, scores.data());
  EXPECT_GT(std::ranges::count(scores, std::numeric_limits<float>::infinity()), 250);
}

TEST(SoftSubspaceBlock, IsSearchedExactlyAmongAnyPeople) {
  for (const Crowd crowd : {Crowd::kReal, Crowd::kInside, Crowd::kAnySamples, Crowd::kAlike}) {
    const SoftSubspaceBlock block = block_of(crowd, 700);
    // Near somebody, and noise.
    Matrix probes = 5.0 * random_values(kSoftDimensions, 60, 4);
    for (Index j = 0; j < 30; ++j) {
      probes.col(j) = real_soft_person(static_cast<std::uint64_t>(j), false).mean;
    }
    expect_exact_search(block, probes);
  }
}

TEST(SoftSubspaceBlock, IsSearchedAsInDoublePrecision) {
  SoftSubspaceBlock block(kSoftDimensions, 3.0);
  for (Index i = 0; i < 500; ++i) {
    add_soft_subspace(block, some_soft_person(static_cast<std::uint64_t>(i), 3, 5));
  }
  expect_exact_search(block, 3.0 * random_values(kSoftDimensions, 60, 4));
}

}  // namespace
}  // namespace longshot
