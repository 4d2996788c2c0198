// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/kernel.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

double by_definition(const Kernel& kernel, const Vector& x, const Vector& y) {
  if (kernel.kind == KernelKind::kLinear) return x.dot(y);
  if (kernel.kind == KernelKind::kPolynomial) return std::pow(x.dot(y) + kernel.c, kernel.degree);
  return std::exp(-(x - y).squaredNorm() / kernel.c);
}

class Kernels : public testing::TestWithParam<Kernel> {};
INSTANTIATE_TEST_SUITE_P(All, Kernels,
                         testing::Values(Kernel{KernelKind::kLinear},
                                         Kernel{KernelKind::kPolynomial, 1.5, 3},
                                         Kernel{KernelKind::kRbf, 7.0}));

TEST_P(Kernels, EqualTheirDefinition) {
  const Matrix x = gaussian(6, 9, 1);
  const Matrix y = gaussian(6, 5, 2);
  const Matrix cross = kernel_cross(GetParam(), x, y);
  const Matrix gram = kernel_gram(GetParam(), x);
  const Vector diagonal = kernel_diagonal(GetParam(), x);
  for (Index i = 0; i < x.cols(); ++i) {
    for (Index j = 0; j < y.cols(); ++j) {
      const double expected = by_definition(GetParam(), x.col(i), y.col(j));
      EXPECT_NEAR(cross(i, j), expected, 1e-12 * (1.0 + std::abs(expected)));
    }
    for (Index j = 0; j < x.cols(); ++j) {
      const double expected = by_definition(GetParam(), x.col(i), x.col(j));
      EXPECT_NEAR(gram(i, j), expected, 1e-12 * (1.0 + std::abs(expected)));
    }
    EXPECT_NEAR(diagonal[i], gram(i, i), 1e-12 * (1.0 + std::abs(diagonal[i])));
  }
  EXPECT_EQ(gram, Matrix(gram.transpose()));
}

TEST(Kernel, RbfIsOneOnTheDiagonalAndNeverMore) {
  const Matrix x = gaussian(8, 4, 3) * 1e3;
  const Matrix gram = kernel_gram({KernelKind::kRbf, 1e-3}, x);
  EXPECT_EQ(gram.diagonal(), Vector::Ones(4));
  EXPECT_LE(kernel_cross({KernelKind::kRbf, 1e-3}, x, x).maxCoeff(), 1.0);
}

TEST(Kernel, SymmetriseTakesTheMean) {
  Matrix matrix(2, 2);
  matrix << 1.0, 2.0, 4.0, 3.0;
  symmetrise(matrix);
  EXPECT_EQ(matrix(0, 1), 3.0);
  EXPECT_EQ(matrix(1, 0), 3.0);
}

TEST(Kernel, MedianCountsOnlyPairsOfDifferentGroups) {
  Matrix x(1, 4);
  x << 0.0, 1.0, 10.0, 30.0;  // pairs across groups: 100, 900, 81, 841
  EXPECT_DOUBLE_EQ(median_squared_distance(x, {0, 0, 1, 1}), 0.5 * (100.0 + 841.0));
  EXPECT_DOUBLE_EQ(median_squared_distance(x.leftCols(3), {0, 1, 1}), 0.5 * (1.0 + 100.0));
  const Matrix many = gaussian(3, 4000, 4);
  std::vector<int> groups(4000);
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<int>(i);
  // |x - y|^2 is twice a chi-squared variable with three degrees of freedom, of median 2.366.
  // 1500 columns give 4500 numbers, so the scale is known to 2 % only; three deviations.
  EXPECT_NEAR(median_squared_distance(many, groups), 4.73, 0.3);
}

TEST(Kernel, BadInputIsAnError) {
  const Matrix x = gaussian(3, 4, 5);
  EXPECT_THROW(kernel_gram({KernelKind::kRbf, 0.0}, x), Error);
  EXPECT_THROW(kernel_gram({KernelKind::kPolynomial, -1.0}, x), Error);
  EXPECT_THROW(kernel_gram({KernelKind::kPolynomial, 1.0, 0}, x), Error);
  EXPECT_THROW(kernel_gram({}, Matrix()), Error);
  EXPECT_THROW(kernel_cross({}, x, gaussian(2, 4, 6)), Error);
  EXPECT_THROW(median_squared_distance(x, {0, 1}), Error);
  EXPECT_THROW(median_squared_distance(x, {1, 1, 1, 1}), Error);
  Matrix nan = x;
  nan(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(kernel_gram({}, nan), Error);
}

}  // namespace
}  // namespace longshot
