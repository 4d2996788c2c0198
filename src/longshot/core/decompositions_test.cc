// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/decompositions.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

constexpr double kExact = 1e-12;

TEST(Decompositions, EigenvaluesAscendBesideTheirVectors) {
  const Matrix symmetric{{2.0, 1.0}, {1.0, 2.0}};
  const SymmetricEigen eigen = symmetric_eigen(symmetric);
  EXPECT_NEAR(eigen.values(0), 1.0, kExact);
  EXPECT_NEAR(eigen.values(1), 3.0, kExact);
  EXPECT_NEAR(eigen.vectors(0, 0), -eigen.vectors(1, 0), kExact);
  EXPECT_NEAR(eigen.vectors(0, 1), eigen.vectors(1, 1), kExact);
  EXPECT_TRUE((eigen.vectors.transpose() * eigen.vectors).isIdentity(kExact));
  EXPECT_TRUE(symmetric_eigenvalues(symmetric).isApprox(eigen.values, kExact));
}

TEST(Decompositions, EigenvaluesInAnotherMetric) {
  const Matrix a{{2.0, 0.0}, {0.0, 3.0}};
  const Matrix b{{4.0, 0.0}, {0.0, 1.0}};
  const SymmetricEigen eigen = symmetric_eigen(a, b);
  EXPECT_NEAR(eigen.values(0), 0.5, kExact);
  EXPECT_NEAR(eigen.values(1), 3.0, kExact);
  EXPECT_NEAR(eigen.vectors.col(0).cwiseAbs().maxCoeff(), 0.5, kExact);
  EXPECT_TRUE((eigen.vectors.transpose() * b * eigen.vectors).isIdentity(kExact));
}

TEST(Decompositions, SingularValuesDescendBesideTheirVectors) {
  const Matrix tall{{0.0, 3.0}, {2.0, 0.0}, {0.0, 4.0}};
  const LeftSingular singular = left_singular(tall);
  ASSERT_EQ(singular.vectors.rows(), 3);
  ASSERT_EQ(singular.vectors.cols(), 2);
  EXPECT_NEAR(singular.values(0), 5.0, kExact);
  EXPECT_NEAR(singular.values(1), 2.0, kExact);
  EXPECT_TRUE(singular.vectors.col(0).cwiseAbs().isApprox(Vector{{0.6, 0.0, 0.8}}, kExact));
  EXPECT_EQ(left_singular(tall.transpose()).vectors.cols(), 2);
}

}  // namespace
}  // namespace longshot
