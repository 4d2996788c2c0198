// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/rda.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

struct RdaProblem {
  Matrix samples;  // 8 x 20
  std::vector<int> classes;
  Matrix between = Matrix::Zero(8, 8);
  Matrix within = Matrix::Zero(8, 8);
};

// Five classes of four in eight dimensions, with the scatters written out.
RdaProblem rda_problem() {
  RdaProblem problem;
  const Matrix centres = 3.0 * gaussian(8, 5, 1);
  problem.samples = gaussian(8, 20, 2);
  for (Index i = 0; i < 20; ++i) {
    problem.samples.col(i) += centres.col(i / 4);
    problem.classes.push_back(static_cast<int>(i / 4));
  }
  const Vector mean = problem.samples.rowwise().mean();
  for (Index c = 0; c < 5; ++c) {
    const Vector own = problem.samples.middleCols(4 * c, 4).rowwise().mean();
    problem.between += (own - mean) * (own - mean).transpose() / 5.0;
    for (Index i = 4 * c; i < 4 * c + 4; ++i) {
      const Vector off = problem.samples.col(i) - own;
      problem.within += off * off.transpose() / 20.0;
    }
  }
  return problem;
}

TEST(RegularisedDiscriminant, IsOrthonormalInTheRegularisedScatter) {
  const RdaProblem problem = rda_problem();
  for (const double eta : {1e-3, 0.1, 1.0}) {
    const Matrix w = regularised_discriminant(problem.samples, problem.classes, 10, eta);
    ASSERT_EQ(w.cols(), 4);
    const Matrix scatter = problem.within + eta * problem.between;
    EXPECT_LT((w.transpose() * scatter * w - Matrix::Identity(4, 4)).norm(), 1e-9);
    const Matrix between = w.transpose() * problem.between * w;
    EXPECT_LT((between - Matrix(between.diagonal().asDiagonal())).norm(), 1e-9);
    for (Index k = 1; k < 4; ++k) EXPECT_LE(between(k, k), between(k - 1, k - 1));
  }
}

TEST(RegularisedDiscriminant, KeepsTheDirectionsThatSeparateBest) {
  const RdaProblem problem = rda_problem();
  const Matrix all = regularised_discriminant(problem.samples, problem.classes, 4, 0.1);
  const Matrix two = regularised_discriminant(problem.samples, problem.classes, 2, 0.1);
  EXPECT_EQ(two, Matrix(all.leftCols(2)));
}

TEST(RegularisedDiscriminant, TwoClassesAlongOneAxis) {
  Matrix samples(2, 4);
  samples << -1, -1, 1, 1,  //
      -0.5, 0.5, -0.5, 0.5;
  const Matrix w = regularised_discriminant(samples, {0, 0, 1, 1}, 3, 0.25);
  ASSERT_EQ(w.cols(), 1);
  EXPECT_NEAR(w(1, 0), 0.0, 1e-12);
  EXPECT_NEAR(std::abs(w(0, 0)), 2.0, 1e-12);  // S_b = 1, nothing within: 1 / sqrt(eta)
}

TEST(RegularisedDiscriminant, ClassSizesWeighTheMeans) {
  Matrix samples(1, 4);
  samples << 0, 0, 0, 4;
  const Matrix w = regularised_discriminant(samples, {7, 7, 7, 9}, 1, 1.0);
  EXPECT_NEAR(std::abs(w(0, 0)), 1.0 / std::sqrt(0.75 * 1.0 + 0.25 * 9.0), 1e-12);
}

TEST(RegularisedDiscriminant, BadInputIsRefused) {
  const RdaProblem problem = rda_problem();
  EXPECT_THROW(regularised_discriminant(problem.samples, {1, 2}, 4, 0.1), Error);
  EXPECT_THROW(regularised_discriminant(problem.samples, problem.classes, 0, 0.1), Error);
  EXPECT_THROW(regularised_discriminant(problem.samples, problem.classes, 4, 0.0), Error);
  EXPECT_THROW(regularised_discriminant(problem.samples, std::vector<int>(20, 3), 4, 0.1), Error);
  EXPECT_THROW(regularised_discriminant(Matrix::Ones(8, 20), problem.classes, 4, 0.1), Error);
  RdaOptions options;
  options.eta = 0.0;
  EXPECT_THROW(Rda{options}, Error);
  options.eta = 2.0;
  EXPECT_THROW(Rda{options}, Error);
}

}  // namespace
}  // namespace longshot
