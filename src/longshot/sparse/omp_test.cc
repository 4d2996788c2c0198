// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/omp.h"

#include <algorithm>
#include <limits>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;
using small_problems::unit_dictionary;

struct NaiveCode {
  Vector code;
  std::vector<Index> support;
  double squared_residual = 0.0;
};

// The textbook algorithm on vectors: explicit residual, least squares by QR.
NaiveCode naive_omp(const Matrix& dictionary, const Vector& signal, Index sparsity) {
  NaiveCode result;
  Vector residual = signal;
  Vector coefficients;
  for (Index n = 0; n < sparsity; ++n) {
    Index best = -1;
    double best_value = 1e-9 * signal.norm();
    for (Index t = 0; t < dictionary.cols(); ++t) {
      if (std::count(result.support.begin(), result.support.end(), t) > 0) continue;
      const double value = std::abs(dictionary.col(t).dot(residual)) / dictionary.col(t).norm();
      if (value > best_value) {
        best_value = value;
        best = t;
      }
    }
    if (best < 0) break;
    result.support.push_back(best);
    const Matrix chosen = dictionary(Eigen::all, result.support);
    coefficients = chosen.colPivHouseholderQr().solve(signal);
    residual = signal - chosen * coefficients;
  }
  result.code = Vector::Zero(dictionary.cols());
  for (std::size_t i = 0; i < result.support.size(); ++i)
    result.code[result.support[i]] = coefficients[static_cast<Index>(i)];
  result.squared_residual = residual.squaredNorm();
  return result;
}

OmpCode code_of(const Matrix& dictionary, const Vector& signal, Index sparsity,
                double tolerance = 0.0) {
  return omp(dictionary.transpose() * dictionary, dictionary.transpose() * signal,
             signal.squaredNorm(), {sparsity, tolerance});
}

TEST(Omp, EqualsTheNaiveAlgorithm) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix dictionary = unit_dictionary(15, 25, seed);
    const Vector signal = gaussian(15, 1, seed + 100);
    for (const Index sparsity : {1, 3, 8, 14}) {
      const NaiveCode expected = naive_omp(dictionary, signal, sparsity);
      const OmpCode got = code_of(dictionary, signal, sparsity);
      EXPECT_EQ(got.support, expected.support);
      EXPECT_LT((got.code - expected.code).norm(), 1e-9 * expected.code.norm());
      EXPECT_NEAR(got.squared_residual, expected.squared_residual, 1e-11 * signal.squaredNorm());
      EXPECT_EQ(got.stop, OmpStop::kSparsity);
    }
  }
}

TEST(Omp, AtomsOfAnyNormGiveTheSameSupportAndResidual) {
  const Matrix dictionary = unit_dictionary(12, 20, 1);
  const Vector scales = gaussian(20, 1, 2).cwiseAbs().array() + 0.05;
  const Vector signal = gaussian(12, 1, 3);
  const OmpCode unit = code_of(dictionary, signal, 5);
  const OmpCode scaled = code_of(dictionary * scales.asDiagonal(), signal, 5);
  EXPECT_EQ(unit.support, scaled.support);
  EXPECT_NEAR(unit.squared_residual, scaled.squared_residual, 1e-12);
  EXPECT_LT((unit.code - scales.cwiseProduct(scaled.code)).norm(), 1e-10);
}

TEST(Omp, RecoversASparseSignalAndSaysWhyItStopped) {
  const Matrix dictionary = unit_dictionary(40, 50, 4);
  Vector code = Vector::Zero(50);
  code[3] = 2.0;
  code[17] = -1.5;
  const OmpCode got = code_of(dictionary, dictionary * code, 10, 1e-12);
  EXPECT_EQ(got.support, (std::vector<Index>{3, 17}));
  EXPECT_LT((got.code - code).norm(), 1e-9);
  EXPECT_EQ(got.stop, OmpStop::kTolerance);
}

TEST(Omp, StopsWhenNothingCorrelates) {
  const OmpCode zero = code_of(unit_dictionary(6, 4, 5), Vector::Zero(6), 3);
  EXPECT_TRUE(zero.support.empty());
  EXPECT_EQ(zero.squared_residual, 0.0);
  EXPECT_EQ(zero.stop, OmpStop::kUncorrelated);

  Matrix axes = Matrix::Zero(3, 2);
  axes(0, 0) = axes(1, 1) = 1.0;
  const OmpCode outside = code_of(axes, Vector::Unit(3, 2), 2);
  EXPECT_TRUE(outside.support.empty());
  EXPECT_EQ(outside.squared_residual, 1.0);
}

TEST(Omp, RepeatedAndZeroAtomsAreNeverChosenTwice) {
  Matrix dictionary = unit_dictionary(10, 6, 6);
  dictionary.col(4) = dictionary.col(1);
  dictionary.col(5).setZero();
  const OmpCode got = code_of(dictionary, gaussian(10, 1, 7), 6);
  EXPECT_EQ(got.support.size(), 4U);
  EXPECT_EQ(got.code[5], 0.0);
  EXPECT_TRUE(got.code.allFinite());
  EXPECT_EQ(got.stop, OmpStop::kUncorrelated);
}

TEST(Omp, BatchEqualsOneByOneForAnyThreadCount) {
  const Matrix dictionary = unit_dictionary(20, 12, 8);
  const Matrix signals = gaussian(20, 200, 9);
  const Matrix gram = dictionary.transpose() * dictionary;
  const Matrix correlations = dictionary.transpose() * signals;
  const Vector norms = signals.colwise().squaredNorm();
  set_thread_count(1);
  const OmpBatch alone = omp_batch(gram, correlations, norms, {4});
  set_thread_count(0);
  const OmpBatch batch = omp_batch(gram, correlations, norms, {4});
  EXPECT_EQ(alone.codes, batch.codes);
  for (Index j = 0; j < 200; ++j) {
    const OmpCode one = omp(gram, correlations.col(j), norms[j], {4});
    EXPECT_EQ(one.code, batch.codes.col(j));
    EXPECT_EQ(one.support, batch.supports[static_cast<std::size_t>(j)]);
    EXPECT_EQ(one.squared_residual, batch.squared_residuals[j]);
  }
  EXPECT_EQ(omp_squared_residuals(gram, correlations, norms, {4}), batch.squared_residuals);
}

TEST(Omp, RefitIsLeastSquaresOnTheGivenAtoms) {
  const Matrix dictionary = unit_dictionary(10, 8, 10);
  const Vector signal = gaussian(10, 1, 11);
  const Matrix gram = dictionary.transpose() * dictionary;
  const Vector correlations = dictionary.transpose() * signal;
  const std::vector<Index> atoms = {6, 0, 3};
  OmpWorkspace workspace;
  const auto outcome = workspace.refit(gram, correlations.data(), signal.squaredNorm(), atoms);
  const Matrix chosen = dictionary(Eigen::all, atoms);
  const Vector expected = chosen.colPivHouseholderQr().solve(signal);
  ASSERT_EQ(outcome.used, 3);
  EXPECT_LT((workspace.coefficients().head(3) - expected).norm(), 1e-12);
  EXPECT_NEAR(outcome.squared_residual, (signal - chosen * expected).squaredNorm(), 1e-12);
}

TEST(Omp, BadInputIsAnError) {
  const Matrix gram = Matrix::Identity(3, 3);
  const Vector correlations = Vector::Ones(3);
  EXPECT_THROW(omp(Matrix(), Vector(), 1.0, {}), Error);
  EXPECT_THROW(omp(Matrix::Ones(3, 2), correlations, 1.0, {}), Error);
  EXPECT_THROW(omp(gram, Vector::Ones(2), 1.0, {}), Error);
  EXPECT_THROW(omp(gram, correlations, 1.0, {0}), Error);
  EXPECT_THROW(omp(gram, correlations, 1.0, {2, 1.0}), Error);
  EXPECT_THROW(omp(gram, correlations, std::numeric_limits<double>::quiet_NaN(), {}), Error);
  Vector nan = correlations;
  nan[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(omp(gram, nan, 1.0, {}), Error);
  EXPECT_THROW(omp_batch(gram, Matrix::Ones(3, 4), Vector::Ones(3), {}), Error);
}

}  // namespace
}  // namespace longshot
