// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/fista.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

FistaOptions precise(double mu) {
  FistaOptions options;
  options.mu = mu;
  options.tolerance = 1e-12;
  options.max_iterations = 20000;
  return options;
}

Matrix unit_signals(Index d, Index n, std::uint64_t seed) {
  return small_problems::unit_dictionary(d, n, seed);
}

// With an orthonormal dictionary every coefficient is thresholded on its own.
TEST(FistaTest, OrthonormalAtomsGiveSoftThresholds) {
  Matrix signals(3, 2);
  signals << 0.5, -0.2,  //
      -0.05, 0.3,        //
      0.1, 0.0;
  const FistaResult result = fista(Matrix::Identity(3, 3), signals, precise(0.1));
  Matrix expected(3, 2);
  expected << 0.4, -0.1,  //
      0.0, 0.2,           //
      0.0, 0.0;
  EXPECT_LT((result.codes - expected).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_EQ(result.unfinished, 0);
}

// Stationarity: D_j' r = mu sign(g_j) where g_j is not 0, and at most mu in size elsewhere.
TEST(FistaTest, TheSolutionIsStationary) {
  const Matrix dictionary = small_problems::unit_dictionary(20, 60, 1);
  const Matrix signals = unit_signals(20, 150, 2);
  for (const double mu : {0.3, 0.05, 0.005}) {
    const FistaResult result = fista(dictionary, signals, precise(mu));
    EXPECT_EQ(result.unfinished, 0);
    const Matrix slope = dictionary.transpose() * (signals - dictionary * result.codes);
    for (Index j = 0; j < signals.cols(); ++j) {
      for (Index k = 0; k < dictionary.cols(); ++k) {
        const double g = result.codes(k, j);
        if (std::abs(g) > 1e-4) {
          EXPECT_NEAR(slope(k, j), std::copysign(mu, g), 1e-5);
        } else {
          EXPECT_LE(std::abs(slope(k, j)), mu + 1e-5);
        }
      }
    }
  }
}

TEST(FistaTest, AStrongPenaltyGivesZero) {
  const Matrix dictionary = small_problems::unit_dictionary(10, 15, 3);
  const FistaResult result = fista(dictionary, unit_signals(10, 4, 4), precise(1.01));
  EXPECT_TRUE(result.codes.isZero(0.0));
}

TEST(FistaTest, TheGapBoundsTheDistanceFromTheOptimum) {
  const Matrix dictionary = small_problems::unit_dictionary(20, 60, 5);
  const Matrix signals = unit_signals(20, 10, 6);
  FistaOptions rough;
  rough.mu = 0.02;
  rough.tolerance = 1e-2;
  const FistaResult coarse = fista(dictionary, signals, rough);
  const FistaResult fine = fista(dictionary, signals, precise(0.02));
  const auto objective = [&](const FistaResult& result, Index j) {
    return 0.5 * (signals.col(j) - dictionary * result.codes.col(j)).squaredNorm() +
           0.02 * result.codes.col(j).lpNorm<1>();
  };
  for (Index j = 0; j < signals.cols(); ++j) {
    EXPECT_LE(objective(coarse, j) - objective(fine, j), 0.5 * coarse.gaps(j) + 1e-12);
    EXPECT_LT(coarse.iterations(j), fine.iterations(j));
  }
}

TEST(FistaTest, DuplicateAtomsAndEmptySignalsAreHarmless) {
  Matrix dictionary = small_problems::unit_dictionary(8, 10, 7);
  dictionary.col(3) = dictionary.col(0);
  dictionary.col(5).setZero();
  Matrix signals = unit_signals(8, 3, 8);
  signals.col(1).setZero();
  const FistaResult result = fista(dictionary, signals, precise(0.05));
  EXPECT_TRUE(result.codes.allFinite());
  EXPECT_TRUE(result.codes.col(1).isZero(0.0));
  EXPECT_TRUE(fista(Matrix::Zero(8, 2), signals, precise(0.05)).codes.isZero(0.0));
  EXPECT_EQ(fista(dictionary, signals.leftCols(0), precise(0.05)).codes.cols(), 0);
}

TEST(FistaTest, RunningOutOfIterationsIsReported) {
  FistaOptions options = precise(0.001);
  options.max_iterations = 3;
  const FistaResult result =
      fista(small_problems::unit_dictionary(20, 60, 9), unit_signals(20, 5, 10), options);
  EXPECT_EQ(result.unfinished, 5);
  EXPECT_EQ(result.iterations.maxCoeff(), 3);
}

TEST(FistaTest, ThreadsDoNotChangeTheResult) {
  const Matrix dictionary = small_problems::unit_dictionary(20, 60, 11);
  const Matrix signals = unit_signals(20, 200, 12);
  const int threads = thread_count();
  set_thread_count(1);
  const Matrix one = fista(dictionary, signals, FistaOptions()).codes;
  set_thread_count(2);
  const Matrix two = fista(dictionary, signals, FistaOptions()).codes;
  set_thread_count(threads);
  EXPECT_EQ(one, two);
}

TEST(FistaTest, BadInputIsRefused) {
  const Matrix dictionary = small_problems::unit_dictionary(8, 10, 13);
  const Matrix signals = unit_signals(8, 2, 14);
  EXPECT_THROW(fista(dictionary, signals.topRows(7), FistaOptions()), Error);
  EXPECT_THROW(fista(Matrix(8, 0), signals, FistaOptions()), Error);
  Matrix bad = signals;
  bad(0, 0) = std::nan("");
  EXPECT_THROW(fista(dictionary, bad, FistaOptions()), Error);
  EXPECT_THROW(fista(dictionary, signals, FistaOptions{.mu = 0.0}), Error);
  EXPECT_THROW(fista(dictionary, signals, FistaOptions{.tolerance = 0.0}), Error);
  EXPECT_THROW(fista(dictionary, signals, FistaOptions{.max_iterations = 0}), Error);
  EXPECT_THROW(fista(dictionary, signals, FistaOptions{.block = 0}), Error);
}

}  // namespace
}  // namespace longshot
