// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/subspace_block.h"

#include "longshot/search/block_test.h"
#include "longshot/search/random_values_test.h"
#include "longshot/search/subspace_people_test.h"

namespace longshot {
namespace {

constexpr Index kBasisDimensions = 11;

// Of different ranks, every third one with a mean.
SubspaceBlock some_subspaces(Index count) {
  SubspaceBlock block(kBasisDimensions);
  for (Index i = 0; i < count; ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
    const Vector mean = i % 3 == 0
                            ? Vector(0.3 * random_values(kBasisDimensions, 1, 900 + seed).col(0))
                            : Vector::Zero(kBasisDimensions);
    add_subspace(block, random_basis(kBasisDimensions, 3 + i % 4, seed), mean);
  }
  return block;
}

TEST(SubspaceBlock, DistancesAreRelativeSquaredResiduals) {
  SubspaceBlock block(kBasisDimensions);
  const Matrix basis = random_basis(kBasisDimensions, 4, 1);
  const Vector mean = random_values(kBasisDimensions, 1, 2).col(0);
  add_subspace(block, basis, Vector::Zero(kBasisDimensions));
  add_subspace(block, basis, mean);
  const Matrix probes = random_values(kBasisDimensions, 5, 3);
  const Matrix distances = all_distances(block, probes);
  const Matrix q = in_single_precision(basis);
  const Vector m = in_single_precision(mean);
  for (Index j = 0; j < probes.cols(); ++j) {
    const Vector y = probes.col(j);
    const Vector away = y - m;
    EXPECT_NEAR(distances(0, j),
                (y.squaredNorm() - (q.transpose() * y).squaredNorm()) / y.squaredNorm(), 1e-12);
    EXPECT_NEAR(distances(1, j),
                (away.squaredNorm() - (q.transpose() * away).squaredNorm()) / y.squaredNorm(),
                1e-12);
  }
}

TEST(SubspaceBlock, ScoresAreNearDistances) {
  expect_scores_near_distances(some_subspaces(30), random_values(kBasisDimensions, 50, 5), 1e-5);
}

TEST(SubspaceBlock, AProbeWithoutContentIsFarFromEverybody) {
  const Matrix distances = all_distances(some_subspaces(4), Matrix::Zero(kBasisDimensions, 2));
  EXPECT_EQ(distances, Matrix::Ones(4, 2));
}

}  // namespace
}  // namespace longshot
