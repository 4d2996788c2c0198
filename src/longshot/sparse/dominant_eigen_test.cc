// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/dominant_eigen.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/decompositions.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

Vector dominant(Matrix matrix) {
  Vector vector(matrix.rows());
  DominantEigen().compute(matrix, vector);
  return vector;
}

TEST(DominantEigen, EqualsTheFullDecomposition) {
  for (const Index n : {1, 2, 7, 20, 33}) {
    const Matrix factor = small_problems::gaussian(n + 5, n, static_cast<std::uint64_t>(n));
    const Matrix matrix = factor.transpose() * factor;
    const Matrix vectors = symmetric_eigen(matrix).vectors;
    const Vector got = dominant(matrix);
    EXPECT_NEAR(std::abs(got.dot(vectors.col(n - 1))), 1.0, 1e-12) << n;
    EXPECT_NEAR(got.norm(), 1.0, 1e-14);
  }
}

TEST(DominantEigen, AnyVectorOfARepeatedEigenvalueWillDo) {
  const Vector got = dominant(Vector{{1.0, 5.0, 5.0, 2.0}}.asDiagonal());
  EXPECT_NEAR(got.segment(1, 2).norm(), 1.0, 1e-12);
}

TEST(DominantEigen, ScaleDoesNotMatterAndZeroGivesZero) {
  const Matrix factor = small_problems::gaussian(9, 6, 3);
  const Matrix matrix = factor.transpose() * factor;
  EXPECT_NEAR(std::abs(dominant(matrix).dot(dominant(1e-200 * matrix))), 1.0, 1e-12);
  EXPECT_EQ(dominant(Matrix::Zero(3, 3)), Vector::Zero(3));
}

}  // namespace
}  // namespace longshot
