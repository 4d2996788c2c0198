// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/kernel_block.h"

#include "longshot/search/block_test.h"
#include "longshot/search/random_values_test.h"

namespace longshot {
namespace {

constexpr Index kSampleDimensions = 9;

// Samples of one person, and any projection whose residuals are between 0 and 1 for them.
KernelPerson some_kernel_person(std::uint64_t seed, Index samples, Index atoms) {
  const Vector centre = random_values(kSampleDimensions, 1, seed).col(0);
  const Matrix faces =
      (0.3 * random_values(kSampleDimensions, samples, seed + 1000)).colwise() + centre;
  const Matrix projection = random_basis(samples, atoms, seed + 2000).transpose() /
                            std::sqrt(static_cast<double>(samples));
  return make_kernel_person(faces, projection);
}

void add(KernelBlock& block, const KernelPerson& person) {
  const MatrixF samples = person.samples.cast<float>();
  const MatrixF projection = person.projection.cast<float>();
  const KernelRows rows = {view_of(samples), view_of(projection), static_cast<float>(person.sum),
                           static_cast<float>(person.rest)};
  block.replace(block.people(), block.people(), {&rows, 1});
}

TEST(KernelPerson, GivesTheResidualOfTheProjection) {
  const Matrix samples = random_values(kSampleDimensions, 7, 1);
  const Matrix projection = 0.2 * random_values(3, 7, 2);
  const KernelPerson person = make_kernel_person(samples, projection);
  // Large numbers, as of a wide kernel, cancel: all but one row sum to nothing.
  EXPECT_NEAR(person.projection.colwise().sum().tail(2).norm(), 0.0, 1e-14);
  const Vector probe = random_values(kSampleDimensions, 1, 3).col(0);
  const double c = 20.0;
  const Vector kernel = (-(samples.colwise() - probe).colwise().squaredNorm() / c).array().exp();
  const double expected = 1.0 - (projection * kernel).squaredNorm();
  const Vector e = kernel.array() - 1.0;
  const Vector codes = person.projection.transpose() * e;
  EXPECT_NEAR(person.rest - 2.0 * person.sum * codes[0] - codes.squaredNorm(), expected, 1e-13);

  KernelBlock block(kSampleDimensions, c);
  add(block, person);
  EXPECT_NEAR(block.distances(0, probe)[0], std::max(0.0, expected), 1e-6);
}

TEST(KernelPerson, OneAtomNeedsNoTurning) {
  const KernelPerson person = make_kernel_person(random_values(4, 5, 1), Matrix::Ones(1, 5) * 0.1);
  EXPECT_NEAR(person.sum, 0.5, 1e-15);
  EXPECT_NEAR(person.rest, 0.75, 1e-15);
}

TEST(KernelBlock, ScoresAreNearDistances) {
  KernelBlock block(kSampleDimensions, 8.0);
  for (Index i = 0; i < 20; ++i) {
    add(block, some_kernel_person(static_cast<std::uint64_t>(i), 6 + i % 3, 3 + i % 2));
  }
  expect_scores_near_distances(block, random_values(kSampleDimensions, 30, 4), 1e-5);
}

TEST(KernelBlock, IsSearchedAsInDoublePrecision) {
  KernelBlock block(kSampleDimensions, 8.0);
  for (Index i = 0; i < 500; ++i) {
    add(block, some_kernel_person(static_cast<std::uint64_t>(i), 7, 3));
  }
  expect_exact_search(block, random_values(kSampleDimensions, 60, 4));
}

}  // namespace
}  // namespace longshot
