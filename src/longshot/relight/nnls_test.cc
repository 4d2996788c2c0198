// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/nnls.h"

#include <limits>
#include <vector>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

Matrix random_matrix(Index rows, Index cols, Random& random) {
  Matrix m(rows, cols);
  for (double& value : m.reshaped()) value = random.normal();
  return m;
}

// The best feasible least squares solution over all 2^k supports.
double brute_force_squared_residual(const Matrix& a, const Vector& b) {
  double best = b.squaredNorm();
  for (int support = 1; support < (1 << a.cols()); ++support) {
    std::vector<Index> columns;
    for (Index j = 0; j < a.cols(); ++j) {
      if (support >> j & 1) columns.push_back(j);
    }
    const Matrix part = a(Eigen::all, columns);
    const Vector x = part.colPivHouseholderQr().solve(b);
    if (x.minCoeff() >= 0.0) best = std::min(best, (part * x - b).squaredNorm());
  }
  return best;
}

void expect_kkt(const Matrix& a, const Vector& b, const NnlsResult& result) {
  const Vector gradient = a.transpose() * (b - a * result.x);
  EXPECT_TRUE(result.converged);
  EXPECT_GE(result.x.minCoeff(), 0.0);
  EXPECT_LE(gradient.maxCoeff(), 1e-9 * b.norm());
  EXPECT_NEAR(gradient.dot(result.x), 0.0, 1e-9 * b.squaredNorm());
}

TEST(Nnls, EqualsBruteForceOverAllSupports) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix a = random_matrix(12, 7, random);
    const Vector b = random_matrix(12, 1, random);
    const NnlsResult result = nnls(a, b);
    expect_kkt(a, b, result);
    EXPECT_NEAR(result.squared_residual, brute_force_squared_residual(a, b), 1e-10);
    EXPECT_NEAR(result.squared_residual, (a * result.x - b).squaredNorm(), 1e-10);
  }
}

TEST(Nnls, RecoversANonNegativeMixture) {
  Random random(2);
  const Matrix a = random_matrix(200, 30, random);
  Vector truth = Vector::Zero(30);
  truth(3) = 2.0;
  truth(17) = 0.25;
  EXPECT_TRUE(nnls(a, a * truth).x.isApprox(truth, 1e-12));
}

TEST(Nnls, MeetsTheKktConditionsOnWideDependentAndNearlyDependentColumns) {
  Random random(3);
  const Matrix wide = random_matrix(5, 20, random).cwiseAbs();
  const Vector b = random_matrix(5, 1, random).cwiseAbs();
  expect_kkt(wide, b, nnls(wide, b));

  Matrix twice(40, 10);
  const Matrix half = random_matrix(40, 5, random).cwiseAbs();
  twice << half, half;
  const Vector target = random_matrix(40, 1, random).cwiseAbs();
  expect_kkt(twice, target, nnls(twice, target));

  Matrix near = twice;
  near.rightCols(5) += 1e-9 * random_matrix(40, 5, random);
  expect_kkt(near, target, nnls(near, target));
}

TEST(Nnls, IsZeroWhereEveryColumnPointsAway) {
  Matrix a(2, 2);
  a << 1, 0, 0, 1;
  const NnlsResult result = nnls(a, Eigen::Vector2d(-1.0, -2.0));
  EXPECT_TRUE(result.x.isZero());
  EXPECT_TRUE(result.converged);
  EXPECT_DOUBLE_EQ(result.squared_residual, 5.0);
}

TEST(Nnls, SurvivesNoUnknownsAndZeroColumns) {
  EXPECT_EQ(nnls(Matrix(3, 0), Vector::Ones(3)).x.size(), 0);
  EXPECT_TRUE(nnls(Matrix::Zero(3, 2), Vector::Ones(3)).x.isZero());
}

TEST(Nnls, StopsAtMaxIterations) {
  Random random(4);
  const Matrix a = random_matrix(30, 10, random).cwiseAbs();
  const NnlsResult result = nnls(a, a * Vector::Ones(10), {.max_iterations = 2});
  EXPECT_FALSE(result.converged);
  EXPECT_GE(result.x.minCoeff(), 0.0);
}

TEST(Nnls, RefusesBadInput) {
  EXPECT_THROW(nnls(Matrix::Ones(3, 2), Vector::Ones(2)), Error);
  EXPECT_THROW(nnls(Matrix::Ones(3, 2), Vector::Ones(3), {.max_iterations = -1}), Error);
  Vector b = Vector::Ones(3);
  b(1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(nnls(Matrix::Ones(3, 2), b), Error);
}

}  // namespace
}  // namespace longshot
