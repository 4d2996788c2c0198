// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/random.h"
#include "longshot/door.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/kernel_dictionary.h"
#include "longshot/sparse/ksvd.h"
#include "longshot/sparse/omp.h"

namespace longshot {
namespace {

v0::Columns columns(std::ptrdiff_t rows, std::vector<double> values) {
  const auto cols = static_cast<std::ptrdiff_t>(values.size()) / rows;
  return {rows, cols, std::move(values)};
}

v0::Columns random_columns(Index rows, Index cols) {
  Random random(7);
  std::vector<double> values;
  for (Index i = 0; i < rows * cols; ++i) values.push_back(random.normal());
  return columns(rows, values);
}

Matrix matrix_of(const v0::Columns& one) {
  return Eigen::Map<const Matrix>(one.values.data(), one.rows, one.cols);
}

TEST(SparseFace, KsvdFindsTheDirectionsOfItsSamples) {
  // Two directions, three samples along each.
  const v0::Columns samples = columns(3, {1, 0, 0, 2, 0, 0, -3, 0, 0, 0, 3, 4, 0, 6, 8, 0, -3, -4});
  v0::KsvdOptions options;
  options.atoms = 2;
  options.sparsity = 1;
  const v0::Dictionary learnt = v0::ksvd(samples, options);
  EXPECT_EQ(learnt.stop, "exact");
  ASSERT_EQ(learnt.atoms.cols, 2);
  const Matrix atoms = matrix_of(learnt.atoms);
  EXPECT_NEAR(atoms.row(0).cwiseAbs().maxCoeff(), 1.0, 1e-12);
  EXPECT_NEAR(atoms.row(2).cwiseAbs().maxCoeff(), 0.8, 1e-12);
  EXPECT_LT((atoms * matrix_of(learnt.codes) - matrix_of(samples)).norm(), 1e-12);
}

TEST(SparseFace, GivesWhatTheModuleGives) {
  const v0::Columns samples = random_columns(8, 30);
  const KsvdResult own = ksvd(matrix_of(samples), KsvdOptions());
  const v0::Dictionary shown = v0::ksvd(samples);
  EXPECT_EQ(matrix_of(shown.atoms), own.dictionary);
  EXPECT_EQ(matrix_of(shown.codes), own.codes);
  EXPECT_EQ(shown.objectives, own.summary.objectives);

  const v0::Columns gram = v0::kernel_matrix(samples, samples);
  EXPECT_EQ(matrix_of(gram), kernel_gram(Kernel(), matrix_of(samples)));
  const KernelDictionaryResult kernel =
      learn_kernel_dictionary(matrix_of(gram), KernelDictionaryOptions());
  EXPECT_EQ(matrix_of(v0::kernel_dictionary(gram).atoms), kernel.coefficients);
}

TEST(SparseFace, PursuesByInnerProductsAlone) {
  const v0::Columns atoms = columns(2, {1, 0, 0, 1, 0.6, 0.8});
  const v0::Columns signals = columns(2, {3, 4, 0, -2});
  v0::PursuitOptions options;
  options.sparsity = 1;
  const v0::SparseCodes codes = v0::omp(atoms, signals, options);
  EXPECT_EQ(codes.supports, (std::vector<std::vector<std::ptrdiff_t>>{{2}, {1}}));
  EXPECT_NEAR(codes.codes.values[2], 5.0, 1e-12);
  EXPECT_NEAR(codes.squared_residuals[0], 0.0, 1e-12);
  const Matrix dictionary = matrix_of(atoms);
  const Matrix gram = dictionary.transpose() * dictionary;
  const Matrix products = dictionary.transpose() * matrix_of(signals);
  const v0::SparseCodes same =
      v0::omp_gram({gram.data(), 3, 3}, {products.data(), 3, 2}, {25, 4}, options);
  EXPECT_EQ(same.codes.values, codes.codes.values);
  EXPECT_EQ(same.stops, codes.stops);
}

TEST(SparseFace, RefusesWhatItCannotUse) {
  const v0::Columns samples = random_columns(4, 6);
  v0::Columns bad = samples;
  bad.values[3] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(v0::ksvd(bad), Error);
  EXPECT_THROW(v0::ksvd({}), Error);
  v0::KsvdOptions options;
  options.update = "magic";
  EXPECT_THROW(v0::ksvd(samples, options), Error);
  options = {};
  options.atoms = 0;
  EXPECT_THROW(v0::ksvd(samples, options), Error);
  EXPECT_THROW(v0::kernel_dictionary(samples), Error);
  EXPECT_THROW(v0::omp(samples, random_columns(5, 2)), Error);
  EXPECT_THROW(v0::omp_gram(samples, samples, {1, 1}), Error);
  EXPECT_THROW(v0::kernel_matrix(samples, random_columns(5, 2)), Error);
  EXPECT_THROW(v0::kernel_matrix(samples, samples, {"moon"}), Error);
}

TEST(SparseFace, CanBeCancelled) {
  const v0::Columns samples = random_columns(16, 200);
  try {
    v0::run_cancellable([] { return true; },
                        [&] {
                          for (int i = 0; i < 10'000; ++i) v0::ksvd(samples);
                        });
    ADD_FAILURE() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

TEST(SparseFace, DefaultsAreThoseOfTheModules) {
  const v0::DictionaryOptions face;
  const LearningOptions own;
  EXPECT_EQ(face.atoms, own.atoms);
  EXPECT_EQ(face.sparsity, own.sparsity);
  EXPECT_EQ(face.max_sweeps, own.max_sweeps);
  EXPECT_EQ(face.relative_tolerance, own.relative_tolerance);
  EXPECT_EQ(KsvdOptions().update, KsvdUpdate::kExact);
  EXPECT_EQ(KernelDictionaryOptions().update, KernelUpdate::kMod);
  EXPECT_EQ(v0::PursuitOptions().sparsity, OmpOptions().sparsity);
  EXPECT_EQ(v0::PursuitOptions().relative_tolerance, OmpOptions().relative_tolerance);
  EXPECT_EQ(v0::Kernel().c, Kernel().c);
  EXPECT_EQ(v0::Kernel().degree, Kernel().degree);
}

}  // namespace
}  // namespace longshot
