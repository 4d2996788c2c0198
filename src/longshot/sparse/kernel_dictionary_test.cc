// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/kernel_dictionary.h"

#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/ksvd.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;
using small_problems::person;

KernelDictionaryOptions kernel_options(Index atoms, Index sparsity, KernelUpdate update,
                                       int sweeps = 20, double tolerance = 1e-4) {
  KernelDictionaryOptions options;
  options.atoms = atoms;
  options.sparsity = sparsity;
  options.max_sweeps = sweeps;
  options.relative_tolerance = tolerance;
  options.update = update;
  return options;
}

Matrix rbf_gram(const Matrix& samples, double c = 2.0) {
  return kernel_gram({KernelKind::kRbf, c}, samples);
}

double objective_of(const Matrix& gram, const KernelDictionaryResult& result) {
  const Index m = gram.rows();
  const Matrix error = Matrix::Identity(m, m) - result.coefficients * result.codes;
  return (error.transpose() * gram * error).trace();
}

void expect_valid(const KernelDictionaryResult& result, const Matrix& gram, Index sparsity) {
  ASSERT_TRUE(result.coefficients.allFinite());
  ASSERT_TRUE(result.codes.allFinite());
  const Matrix atoms = result.coefficients.transpose() * gram * result.coefficients;
  for (Index k = 0; k < atoms.cols(); ++k) EXPECT_NEAR(atoms(k, k), 1.0, 1e-9);
  for (Index j = 0; j < result.codes.cols(); ++j)
    EXPECT_LE((result.codes.col(j).array() != 0.0).count(), sparsity);
  EXPECT_NEAR(objective_of(gram, result), result.summary.objective, 1e-10 * gram.trace());
}

class KernelUpdates : public testing::TestWithParam<KernelUpdate> {};
INSTANTIATE_TEST_SUITE_P(All, KernelUpdates,
                         testing::Values(KernelUpdate::kMod, KernelUpdate::kKsvd));

TEST_P(KernelUpdates, ObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix gram = rbf_gram(person(seed));
    const auto result = learn_kernel_dictionary(gram, kernel_options(9, 3, GetParam(), 15, 0.0));
    expect_valid(result, gram, 3);
    const std::vector<double>& objectives = result.summary.objectives;
    for (std::size_t i = 1; i < objectives.size(); ++i)
      EXPECT_LE(objectives[i], objectives[i - 1] * (1.0 + 1e-10)) << "seed " << seed;
    EXPECT_LT(objectives.back(), 0.95 * objectives.front());
  }
}

TEST_P(KernelUpdates, FullSparsityGivesTheErrorOfTheKernelPcaSubspace) {
  const Matrix gram = rbf_gram(person(3));
  const auto result = learn_kernel_dictionary(gram, kernel_options(6, 6, GetParam(), 1000, 1e-13));
  const Vector values = left_singular(gram).values;
  const double least = values.tail(values.size() - 6).sum();
  EXPECT_GE(result.summary.objective, least * (1.0 - 1e-9));
  EXPECT_NEAR(result.summary.objective, least, 1e-6 * least);
}

TEST(KernelDictionary, LinearKernelIsKsvd) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Matrix samples = person(seed);
    KsvdOptions linear;
    linear.atoms = 9;
    linear.sparsity = 3;
    linear.max_sweeps = 5;
    const KsvdResult expected = ksvd(samples, linear);
    const auto got = learn_kernel_dictionary(kernel_gram({KernelKind::kLinear}, samples),
                                             kernel_options(9, 3, KernelUpdate::kKsvd, 5));
    const Matrix dictionary = samples * got.coefficients;
    // Singular vectors have no sign, so atoms and codes agree up to a common one.
    const Vector signs = dictionary.cwiseProduct(expected.dictionary).colwise().sum().cwiseSign();
    EXPECT_LT((dictionary * signs.asDiagonal() - expected.dictionary).norm(), 1e-6);
    EXPECT_LT((signs.asDiagonal() * got.codes - expected.codes).norm(), 1e-6);
    EXPECT_NEAR(got.summary.objective, expected.summary.objective, 1e-10);
  }
}

TEST_P(KernelUpdates, AsManyAtomsAsSamplesIsExact) {
  const Matrix gram = rbf_gram(person(4, 30, 10));
  for (const Index atoms : {10, 25}) {
    const auto result = learn_kernel_dictionary(gram, kernel_options(atoms, 1, GetParam()));
    EXPECT_EQ(result.coefficients.cols(), 10);
    EXPECT_LT(result.summary.objective, 1e-12);
    EXPECT_EQ(result.summary.stop, LearningStop::kExact);
  }
}

TEST_P(KernelUpdates, RepeatedAndZeroSamplesShrinkTheDictionary) {
  Matrix samples(8, 9);
  const Matrix distinct = gaussian(8, 3, 7);
  samples << distinct, distinct, 2.0 * distinct.leftCols(2), Vector::Zero(8);
  const Matrix gram = kernel_gram({KernelKind::kLinear}, samples);
  const auto result = learn_kernel_dictionary(gram, kernel_options(6, 2, GetParam()));
  expect_valid(result, gram, 2);
  EXPECT_EQ(result.coefficients.cols(), 3);
  EXPECT_LT(result.summary.objective, 1e-10);

  const auto one = learn_kernel_dictionary(Matrix::Ones(20, 20), kernel_options(5, 3, GetParam()));
  EXPECT_EQ(one.coefficients.cols(), 1);
  EXPECT_LT(one.summary.objective, 1e-10);
}

TEST_P(KernelUpdates, AWideKernelIsNearlySingularAndStillFinite) {
  const Matrix gram = rbf_gram(person(5), 1e7);
  const auto result = learn_kernel_dictionary(gram, kernel_options(12, 5, GetParam(), 10, 0.0));
  EXPECT_TRUE(result.coefficients.allFinite());
  EXPECT_TRUE(result.codes.allFinite());
  EXPECT_LE(result.summary.objective, result.summary.objectives.front());
}

TEST(KernelDictionary, ModGivesAnUnusedAtomAZeroColumnAndMinimisesForAnyKernel) {
  Matrix codes = gaussian(5, 12, 8);
  codes.row(2).setZero();
  codes.row(4) = 3.0 * codes.row(1);
  const Matrix coefficients = mod_coefficients(codes);
  ASSERT_TRUE(coefficients.allFinite());
  EXPECT_LT(coefficients.col(2).norm(), 1e-14);
  const Matrix factor = gaussian(12, 12, 9);
  const Matrix gram = factor.transpose() * factor;
  const Matrix gradient =
      gram * (coefficients * codes - Matrix::Identity(12, 12)) * codes.transpose();
  EXPECT_LT(gradient.norm(), 1e-9 * gram.norm());
  EXPECT_EQ(mod_coefficients(Matrix::Zero(4, 6)), Matrix::Zero(6, 4));
}

TEST(KernelDictionary, BadInputIsAnError) {
  const Matrix gram = rbf_gram(person(10));
  const auto options = kernel_options(4, 2, KernelUpdate::kMod);
  EXPECT_THROW(learn_kernel_dictionary(Matrix(), options), Error);
  EXPECT_THROW(learn_kernel_dictionary(gram.leftCols(3), options), Error);
  EXPECT_THROW(learn_kernel_dictionary(Matrix::Zero(4, 4), options), Error);
  EXPECT_THROW(learn_kernel_dictionary(-gram, options), Error);
  EXPECT_THROW(learn_kernel_dictionary(gram, kernel_options(0, 2, KernelUpdate::kMod)), Error);
  Matrix skew = gram;
  skew(0, 1) += 0.5;
  EXPECT_THROW(learn_kernel_dictionary(skew, options), Error);
  Matrix nan = gram;
  nan(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(learn_kernel_dictionary(nan, options), Error);
}

}  // namespace
}  // namespace longshot
