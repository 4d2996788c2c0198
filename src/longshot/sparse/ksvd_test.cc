// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/ksvd.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;
using small_problems::person;
using small_problems::unit_dictionary;

KsvdOptions ksvd_options(Index atoms, Index sparsity, KsvdUpdate update = KsvdUpdate::kExact,
                         int sweeps = 20, double tolerance = 1e-4) {
  KsvdOptions options;
  options.atoms = atoms;
  options.sparsity = sparsity;
  options.max_sweeps = sweeps;
  options.relative_tolerance = tolerance;
  options.update = update;
  return options;
}

void expect_valid(const KsvdResult& result, const Matrix& samples, Index sparsity) {
  ASSERT_TRUE(result.dictionary.allFinite());
  ASSERT_TRUE(result.codes.allFinite());
  EXPECT_EQ(result.dictionary.cols(), result.codes.rows());
  for (Index k = 0; k < result.dictionary.cols(); ++k)
    EXPECT_NEAR(result.dictionary.col(k).norm(), 1.0, 1e-12);
  for (Index j = 0; j < result.codes.cols(); ++j)
    EXPECT_LE((result.codes.col(j).array() != 0.0).count(), sparsity);
  EXPECT_NEAR((samples - result.dictionary * result.codes).squaredNorm(), result.summary.objective,
              1e-12 * samples.squaredNorm());
  EXPECT_EQ(static_cast<std::size_t>(result.summary.sweeps), result.summary.objectives.size());
}

class KsvdRules : public testing::TestWithParam<KsvdUpdate> {};
INSTANTIATE_TEST_SUITE_P(All, KsvdRules,
                         testing::Values(KsvdUpdate::kExact, KsvdUpdate::kApproximate));

TEST_P(KsvdRules, ObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix samples = person(seed);
    const KsvdResult result = ksvd(samples, ksvd_options(9, 3, GetParam(), 15, 0.0));
    expect_valid(result, samples, 3);
    const std::vector<double>& objectives = result.summary.objectives;
    for (std::size_t i = 1; i < objectives.size(); ++i)
      EXPECT_LE(objectives[i], objectives[i - 1] * (1.0 + 1e-10)) << "seed " << seed;
    EXPECT_LT(objectives.back(), 0.9 * objectives.front());
    EXPECT_EQ(result.summary.objective, objectives.back());
  }
}

TEST_P(KsvdRules, FullSparsityGivesTheErrorOfTheSvdSubspace) {
  const Matrix samples = person(3, 30, 18);
  const KsvdResult result = ksvd(samples, ksvd_options(6, 6, GetParam(), 500, 1e-12));
  const Vector s = left_singular(samples).values;
  const double least = s.tail(s.size() - 6).squaredNorm();
  EXPECT_GE(result.summary.objective, least * (1.0 - 1e-10));
  EXPECT_NEAR(result.summary.objective, least, 1e-6 * least);
}

TEST_P(KsvdRules, AsManyAtomsAsSamplesIsExact) {
  const Matrix samples = person(4, 30, 10);
  for (const Index atoms : {10, 25}) {
    const KsvdResult result = ksvd(samples, ksvd_options(atoms, 1, GetParam()));
    EXPECT_EQ(result.dictionary.cols(), 10);
    EXPECT_LT(result.summary.objective, 1e-20);
    EXPECT_EQ(result.summary.stop, LearningStop::kExact);
  }
}

TEST_P(KsvdRules, FindsTheDictionaryThatMadeTheSamples) {
  const Matrix truth = unit_dictionary(12, 4, 5);
  Matrix codes = Matrix::Zero(4, 60);
  Random random(6);
  for (Index j = 0; j < 60; ++j) codes(j % 4, j) = random.uniform(1.0, 2.0);
  const KsvdResult result = ksvd(truth * codes, ksvd_options(4, 1, GetParam()));
  EXPECT_LT(result.summary.objective, 1e-18);
  const Matrix cosines = (truth.transpose() * result.dictionary).cwiseAbs();
  EXPECT_GT(cosines.rowwise().maxCoeff().minCoeff(), 1.0 - 1e-12);
}

TEST_P(KsvdRules, RepeatedAndZeroSamplesShrinkTheDictionary) {
  Matrix samples(8, 9);
  const Matrix distinct = gaussian(8, 3, 7);
  samples << distinct, distinct, 2.0 * distinct.leftCols(2), Vector::Zero(8);
  const KsvdResult result = ksvd(samples, ksvd_options(6, 2, GetParam()));
  expect_valid(result, samples, 2);
  EXPECT_EQ(result.dictionary.cols(), 3);
  EXPECT_LT(result.summary.objective, 1e-20);

  const KsvdResult one = ksvd(distinct.col(0).replicate(1, 20), ksvd_options(5, 3, GetParam()));
  EXPECT_EQ(one.dictionary.cols(), 1);
}

TEST(Ksvd, ExactUpdateIsTheLeadingSingularVectorAfterOneSweep) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Matrix samples = person(seed);
    const KsvdResult result = ksvd(samples, ksvd_options(1, 1, KsvdUpdate::kExact, 1));
    const LeftSingular svd = left_singular(samples);
    EXPECT_NEAR(std::abs(result.dictionary.col(0).dot(svd.vectors.col(0))), 1.0, 1e-8) << seed;
    EXPECT_NEAR(result.summary.objective, svd.values.tail(svd.values.size() - 1).squaredNorm(),
                1e-8 * samples.squaredNorm());
  }
}

TEST(Ksvd, SameAnswerTwice) {
  const Matrix samples = person(8);
  const KsvdResult a = ksvd(samples, ksvd_options(12, 5));
  const KsvdResult b = ksvd(samples, ksvd_options(12, 5));
  EXPECT_EQ(a.dictionary, b.dictionary);
  EXPECT_EQ(a.codes, b.codes);
}

TEST(Ksvd, ScaleOfTheSamplesDoesNotMatter) {
  const Matrix samples = person(9);
  const KsvdResult a = ksvd(samples, ksvd_options(9, 3));
  const KsvdResult b = ksvd(1e6 * samples, ksvd_options(9, 3));
  EXPECT_LT((a.dictionary - b.dictionary).norm(), 1e-8);
}

TEST(Ksvd, NearlyEqualSamplesKeepTheObjectiveFalling) {
  Matrix samples = person(10).col(0).replicate(1, 20) + 0.03 * gaussian(41, 20, 11);
  const KsvdResult result = ksvd(samples, ksvd_options(8, 3, KsvdUpdate::kExact, 15, 0.0));
  expect_valid(result, samples, 3);
  const std::vector<double>& objectives = result.summary.objectives;
  for (std::size_t i = 1; i < objectives.size(); ++i)
    EXPECT_LE(objectives[i], objectives[i - 1] * (1.0 + 1e-10));
}

TEST(Ksvd, SaysWhyItStopped) {
  const Matrix samples = person(12);
  const LearningSummary few = ksvd(samples, ksvd_options(9, 3, KsvdUpdate::kExact, 2, 0.0)).summary;
  EXPECT_EQ(few.sweeps, 2);
  EXPECT_EQ(few.stop, LearningStop::kMaxSweeps);
  const LearningSummary lax =
      ksvd(samples, ksvd_options(9, 3, KsvdUpdate::kExact, 50, 0.2)).summary;
  EXPECT_LT(lax.sweeps, 50);
  EXPECT_EQ(lax.stop, LearningStop::kConverged);
}

TEST(Ksvd, BadInputIsAnError) {
  const Matrix samples = person(13);
  EXPECT_THROW(ksvd(Matrix(), ksvd_options(3, 2)), Error);
  EXPECT_THROW(ksvd(Matrix(5, 0), ksvd_options(3, 2)), Error);
  EXPECT_THROW(ksvd(Matrix::Zero(5, 6), ksvd_options(3, 2)), Error);
  EXPECT_THROW(ksvd(samples, ksvd_options(0, 2)), Error);
  EXPECT_THROW(ksvd(samples, ksvd_options(3, 0)), Error);
  EXPECT_THROW(ksvd(samples, ksvd_options(3, 2, KsvdUpdate::kExact, 0)), Error);
  EXPECT_THROW(ksvd(samples, ksvd_options(3, 2, KsvdUpdate::kExact, 5, -1.0)), Error);
  Matrix nan = samples;
  nan(2, 3) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ksvd(nan, ksvd_options(3, 2)), Error);
}

}  // namespace
}  // namespace longshot
