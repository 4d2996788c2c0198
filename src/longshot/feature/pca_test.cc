// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/pca.h"

#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

Matrix random_signals(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix signals = Matrix::NullaryExpr(rows, cols, [&](Index, Index) { return random.normal(); });
  for (Index r = 0; r < rows; ++r) signals.row(r) *= 1.0 + static_cast<double>(r);
  return signals;
}

TEST(Pca, FullPcaKeepsPairwiseDistances) {
  for (const auto& [rows, cols] : {std::pair{10, 50}, std::pair{50, 10}}) {
    const Matrix signals = random_signals(rows, cols, 1);
    const Matrix features = learn_pca(signals).project(signals);
    for (Index i = 0; i < cols; ++i) {
      EXPECT_NEAR((features.col(i) - features.col(0)).norm(),
                  (signals.col(i) - signals.col(0)).norm(), 1e-9);
    }
  }
}

TEST(Pca, BasisIsOrthonormalAndSorted) {
  for (const auto& [rows, cols] : {std::pair{10, 50}, std::pair{50, 10}}) {
    const Pca pca = learn_pca(random_signals(rows, cols, 2));
    EXPECT_EQ(pca.dimensions(), std::min(rows, cols - 1));
    EXPECT_LT(
        (pca.basis.transpose() * pca.basis - Matrix::Identity(pca.dimensions(), pca.dimensions()))
            .norm(),
        1e-9);
    for (Index k = 1; k < pca.dimensions(); ++k) {
      EXPECT_GE(pca.eigenvalues(k - 1), pca.eigenvalues(k));
    }
  }
}

// Points on a line through (1, 1): direction (3, 4) / 5, coordinates -10, 0, 10, variance 100.
TEST(Pca, KnownLine) {
  Matrix signals(2, 3);
  signals << 1 - 6, 1, 1 + 6, 1 - 8, 1, 1 + 8;
  const Pca pca = learn_pca(signals);
  ASSERT_EQ(pca.dimensions(), 1);
  EXPECT_NEAR(pca.basis(0, 0), 0.6, 1e-12);
  EXPECT_NEAR(pca.basis(1, 0), 0.8, 1e-12);
  EXPECT_NEAR(pca.eigenvalues(0), 100.0, 1e-9);
  EXPECT_NEAR(pca.project(signals)(0, 2), 10.0, 1e-12);
}

TEST(Pca, EnergyAndDimensionLimitsHold) {
  const Matrix signals = random_signals(20, 200, 3);
  const Pca all = learn_pca(signals);
  const Pca most = learn_pca(signals, {0, 0.9});
  EXPECT_LT(most.dimensions(), all.dimensions());
  EXPECT_GE(most.eigenvalues.sum(), 0.9 * all.eigenvalues.sum());
  EXPECT_LT(most.eigenvalues.head(most.dimensions() - 1).sum(), 0.9 * all.eigenvalues.sum());
  EXPECT_EQ(learn_pca(signals, {5, 1.0}).dimensions(), 5);
}

TEST(Pca, EqualSignalsHaveNoDirection) {
  const Pca pca = learn_pca(Matrix::Ones(4, 6));
  EXPECT_EQ(pca.dimensions(), 0);
  EXPECT_EQ(pca.project(Matrix::Ones(4, 2)).rows(), 0);
}

TEST(Pca, BadInput) {
  EXPECT_THROW(learn_pca(Matrix(0, 0)), Error);
  EXPECT_THROW(learn_pca(Matrix::Constant(2, 2, std::numeric_limits<double>::quiet_NaN())), Error);
  EXPECT_THROW(learn_pca(Matrix::Ones(2, 2), {-1, 1.0}), Error);
  EXPECT_THROW(learn_pca(Matrix::Ones(2, 2), {0, 0.0}), Error);
  EXPECT_THROW(learn_pca(Matrix::Ones(4, 6)).project(Matrix::Ones(5, 1)), Error);
}

}  // namespace
}  // namespace longshot
