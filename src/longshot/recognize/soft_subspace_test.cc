// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/soft_subspace.h"

#include <cmath>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/search/soft_subspace_people_test.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

Vector soft_distances(const SoftSubspace& person, const Matrix& probes, double nearest) {
  SoftSubspaceBlock block(person.mean.size(), nearest * static_cast<double>(person.mean.size()));
  add_soft_subspace(block, person);
  return all_distances(block, probes).row(0).transpose();
}

// The definition, with the covariance written out.
double by_definition(const SoftSubspace& person, const Vector& lambda, const Vector& y,
                     const Matrix& inside, double nearest) {
  const Index d = y.size();
  const Matrix covariance =
      Matrix::Identity(d, d) + person.basis * lambda.asDiagonal() * person.basis.transpose();
  const Vector away = y - person.mean;
  double largest = -2.0;
  for (Index j = 0; j < inside.cols(); ++j) {
    largest = std::max(largest, y.dot(inside.col(j)) / (y.norm() * inside.col(j).norm()));
  }
  return away.dot(covariance.inverse() * away) + std::log(covariance.determinant()) +
         nearest * static_cast<double>(d) * (1.0 - largest);
}

TEST(SoftSubspace, EqualsTheGaussianWrittenOut) {
  const Matrix samples = gaussian(7, 10, 1);
  const SoftSubspaceOptions options{4, 0.5, 2.0};
  const SoftSubspace person = learn_soft_subspace(samples, options);
  ASSERT_EQ(person.basis.cols(), 4);
  const Vector lambda = person.shrinkage.array() / (1.0 - person.shrinkage.array());
  const Matrix away = samples.colwise() - person.mean;
  const Matrix inside = (person.basis * (person.basis.transpose() * away)).colwise() + person.mean;
  const Matrix probes = gaussian(7, 5, 2);
  const Vector distances = soft_distances(person, probes, options.nearest);
  for (Index j = 0; j < probes.cols(); ++j) {
    EXPECT_NEAR(distances(j), by_definition(person, lambda, probes.col(j), inside, 2.0), 1e-5);
  }
}

TEST(SoftSubspace, KeepsTheVarianceOfTheSamplesAlongItsLeadingDirection) {
  Matrix samples = Matrix::Zero(3, 2);
  samples.row(0) << 1.0, -1.0;
  const SoftSubspace person = learn_soft_subspace(samples, {5, 2.0, 0.0});
  ASSERT_EQ(person.basis.cols(), 1);
  EXPECT_NEAR(std::abs(person.basis(0, 0)), 1.0, 1e-12);
  // lambda = 2 * 1
  EXPECT_NEAR(person.shrinkage(0), 2.0 / 3.0, 1e-12);
  EXPECT_NEAR(person.offset, std::log(3.0), 1e-12);
}

TEST(SoftSubspace, OneSampleIsAPoint) {
  const Matrix sample = gaussian(4, 1, 3);
  const SoftSubspace person = learn_soft_subspace(sample, {});
  const Vector probe = gaussian(4, 1, 4).col(0);
  EXPECT_NEAR(soft_distances(person, probe, 0.0)(0), (probe - sample.col(0)).squaredNorm(), 1e-5);
  EXPECT_NEAR(soft_distances(person, sample, 3.0)(0), 0.0, 1e-5);
}

TEST(SoftSubspace, IsNeverNegativeAndFiniteForZeros) {
  const SoftSubspace person = learn_soft_subspace(Matrix::Zero(5, 6), {});
  const Vector distances = soft_distances(person, Matrix::Zero(5, 2), 1.0);
  EXPECT_TRUE(distances.allFinite());
  EXPECT_GE(distances.minCoeff(), 0.0);
}

TEST(SoftSubspace, RefusesBadOptionsAndNoSamples) {
  EXPECT_THROW(learn_soft_subspace(Matrix(4, 0), {}), Error);
  EXPECT_THROW(learn_soft_subspace(Matrix::Ones(4, 2), {0, 1.0, 0.0}), Error);
  EXPECT_THROW(learn_soft_subspace(Matrix::Ones(4, 2), {3, -1.0, 0.0}), Error);
  EXPECT_THROW(learn_soft_subspace(Matrix::Ones(4, 2), {3, 1.0, -1.0}), Error);
}

}  // namespace
}  // namespace longshot
