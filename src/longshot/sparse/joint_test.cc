// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/joint.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/farthest_selection.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/small_problems.h"
#include "longshot/sparse/subspace.h"

namespace longshot {
namespace {

using small_problems::gaussian;
using small_problems::person;

struct Pair {
  Matrix high;  // K_H
  Matrix low;   // K_L
};

// The low-resolution samples are noisy averages of the high-resolution ones.
Pair pair_of(std::uint64_t seed, Index m = 20) {
  const Matrix high = person(seed, 60, m);
  const Matrix low = gaussian(20, 60, seed + 1) * high * 0.1;
  return {kernel_gram({KernelKind::kRbf, 2.0}, high), kernel_gram({KernelKind::kRbf, 3.0}, low)};
}

JointDictionaryOptions joint_options(Index atoms, Index sparsity, KernelUpdate update,
                                     double lambda = 1.0, int sweeps = 8, double tolerance = 0.0) {
  JointDictionaryOptions options;
  options.atoms = atoms;
  options.sparsity = sparsity;
  options.update = update;
  options.lambda = lambda;
  options.max_sweeps = sweeps;
  options.relative_tolerance = tolerance;
  return options;
}

// The paper's own form, Appendix A as corrected in docs/method.md: one dictionary of 2m rows over
// Phi_2 = blkdiag(Phi_H, sqrt(lambda) Phi_L), signals Phi_1 = [Phi_H; sqrt(lambda) Phi_L].
class StackedProblem final : public LearningProblem {
 public:
  StackedProblem(const Pair& pair, double lambda) : m_(pair.high.rows()) {
    k1_.resize(m_, 2 * m_);
    k1_ << pair.high, lambda * pair.low;
    k2_ = Matrix::Zero(2 * m_, 2 * m_);
    k2_.topLeftCorner(m_, m_) = pair.high;
    k2_.bottomRightCorner(m_, m_) = lambda * pair.low;
    norms_ = pair.high.diagonal() + lambda * pair.low.diagonal();
  }
  void start(const std::vector<Index>& samples) override {
    stacked_.resize(2 * m_, static_cast<Index>(samples.size()));
    for (std::size_t k = 0; k < samples.size(); ++k) replace(static_cast<Index>(k), samples[k]);
  }
  void refresh() override {
    gram_ = stacked_.transpose() * k2_ * stacked_;
    correlations_ = stacked_.transpose() * k1_.transpose();
  }
  const Matrix& gram() const override { return gram_; }
  const Matrix& correlations() const override { return correlations_; }
  const Vector& squared_norms() const override { return norms_; }
  const Vector& update(Matrix& codes) override {
    stacked_ = mod_coefficients(codes).replicate(2, 1);
    const Vector scales = (stacked_.transpose() * k2_ * stacked_).diagonal().cwiseSqrt();
    for (Index k = 0; k < codes.rows(); ++k) {
      if (!(scales[k] > 1e-7)) continue;
      stacked_.col(k) /= scales[k];
      codes.row(k) *= scales[k];
    }
    const Matrix coded = stacked_ * codes;
    residuals_ = norms_;
    for (Index j = 0; j < m_; ++j)
      residuals_[j] += -2.0 * k1_.row(j).dot(coded.col(j)) + coded.col(j).dot(k2_ * coded.col(j));
    return residuals_;
  }
  void replace(Index atom, Index sample) override {
    stacked_.col(atom).setZero();
    stacked_(sample, atom) = stacked_(m_ + sample, atom) = 1.0 / std::sqrt(norms_[sample]);
  }
  const Matrix& dictionary() const override { return stacked_; }
  void set_dictionary(const Matrix& dictionary) override { stacked_ = dictionary; }
  double rounding() const override { return 1e-13; }

 private:
  Index m_;
  Matrix k1_;  // m x 2m, row j belongs to sample j
  Matrix k2_;  // 2m x 2m
  Vector norms_;
  Matrix stacked_;  // 2m x K
  Matrix gram_;
  Matrix correlations_;
  Vector residuals_;
};

TEST(Joint, SumKernelEqualsTheStackedFormOfThePaper) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Pair pair = pair_of(seed);
    const double lambda = 0.25 + 0.5 * static_cast<double>(seed);
    const auto options = joint_options(9, 3, KernelUpdate::kMod, lambda);
    const JointDictionaryResult got = learn_joint_dictionary(pair.high, pair.low, options);
    StackedProblem problem(pair, lambda);
    const LearningResult expected =
        learn_dictionary(problem, farthest_selection(pair.high + lambda * pair.low, 9), options);
    EXPECT_NEAR(got.summary.objective, expected.summary.objective, 1e-9);
    EXPECT_LT((got.codes - expected.codes).norm(), 1e-6);
    const Matrix high = got.high * got.high_scales.asDiagonal();
    const Matrix low = got.low * got.low_scales.asDiagonal();
    EXPECT_LT((high - problem.dictionary().topRows(20)).norm(), 1e-6);
    EXPECT_LT((low - problem.dictionary().bottomRows(20)).norm(), 1e-6);
  }
}

TEST(Joint, EachDictionaryIsNormalisedInItsOwnKernel) {
  const Pair pair = pair_of(1);
  for (const auto normalisation : {JointNormalisation::kJoint, JointNormalisation::kPaper}) {
    auto options = joint_options(9, 3, KernelUpdate::kMod);
    options.normalisation = normalisation;
    const JointDictionaryResult got = learn_joint_dictionary(pair.high, pair.low, options);
    const Vector high = (got.high.transpose() * pair.high * got.high).diagonal();
    const Vector low = (got.low.transpose() * pair.low * got.low).diagonal();
    EXPECT_LT((high.array() - 1.0).abs().maxCoeff(), 1e-9);
    EXPECT_LT((low.array() - 1.0).abs().maxCoeff(), 1e-9);
  }
}

TEST(Joint, ScalesAndSharedCodesGiveTheObjective) {
  const Pair pair = pair_of(2);
  for (const auto normalisation : {JointNormalisation::kJoint, JointNormalisation::kPaper}) {
    auto options = joint_options(9, 3, KernelUpdate::kMod, 2.0);
    options.normalisation = normalisation;
    const JointDictionaryResult got = learn_joint_dictionary(pair.high, pair.low, options);
    const Matrix identity = Matrix::Identity(20, 20);
    const Matrix high = identity - got.high * got.high_scales.asDiagonal() * got.codes;
    const Matrix low = identity - got.low * got.low_scales.asDiagonal() * got.codes;
    const double objective = (high.transpose() * pair.high * high).trace() +
                             2.0 * (low.transpose() * pair.low * low).trace();
    EXPECT_NEAR(objective, got.summary.objective, 1e-9);
  }
}

class JointUpdates : public testing::TestWithParam<KernelUpdate> {};
INSTANTIATE_TEST_SUITE_P(All, JointUpdates,
                         testing::Values(KernelUpdate::kMod, KernelUpdate::kKsvd));

TEST_P(JointUpdates, ObjectiveNeverRises) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Pair pair = pair_of(seed);
    const auto result =
        learn_joint_dictionary(pair.high, pair.low, joint_options(9, 3, GetParam()));
    const std::vector<double>& objectives = result.summary.objectives;
    for (std::size_t i = 1; i < objectives.size(); ++i)
      EXPECT_LE(objectives[i], objectives[i - 1] * (1.0 + 1e-10)) << "seed " << seed;
  }
}

TEST_P(JointUpdates, AHeavyLowResolutionGivesTheKernelDictionary) {
  const Pair pair = pair_of(3);
  const auto options = joint_options(9, 3, GetParam(), 1e9, 5);
  const JointDictionaryResult joint = learn_joint_dictionary(pair.high, pair.low, options);
  const KernelDictionaryResult kernel = learn_kernel_dictionary(pair.low, options);
  ASSERT_EQ(joint.low.cols(), kernel.coefficients.cols());
  EXPECT_LT((joint.low.cwiseAbs() - kernel.coefficients.cwiseAbs()).norm(), 1e-4);
}

TEST_P(JointUpdates, AsManyAtomsAsSamplesMakesJointAndKernelTheSame) {
  const Pair pair = pair_of(4);
  const auto options = joint_options(20, 5, GetParam());
  const JointDictionaryResult joint = learn_joint_dictionary(pair.high, pair.low, options);
  const KernelDictionaryResult kernel = learn_kernel_dictionary(pair.low, options);
  const Matrix probes = pair.high;  // any values will do as kernels with probes
  const Vector norms = Vector::Ones(20);
  const Vector a = kernel_squared_residuals(kernel_projection(joint.low, pair.low), probes, norms);
  const Vector b =
      kernel_squared_residuals(kernel_projection(kernel.coefficients, pair.low), probes, norms);
  EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-6);
}

TEST(Joint, ThePaperNormalisationEndsNoLowerThanTheJointOne) {
  double joint_sum = 0.0;
  double paper_sum = 0.0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Pair pair = pair_of(seed);
    auto options = joint_options(9, 3, KernelUpdate::kMod);
    joint_sum += learn_joint_dictionary(pair.high, pair.low, options).summary.objective;
    options.normalisation = JointNormalisation::kPaper;
    const LearningSummary paper = learn_joint_dictionary(pair.high, pair.low, options).summary;
    paper_sum += paper.objective;
    for (const double objective : paper.objectives) EXPECT_GE(objective, paper.objective);
  }
  EXPECT_LT(joint_sum, paper_sum);
}

TEST(Joint, UnitsOfTheKernelsDoNotMatter) {
  const Pair pair = pair_of(5);
  const auto options = joint_options(9, 3, KernelUpdate::kMod);
  const auto a = learn_joint_dictionary(pair.high, pair.low, options);
  const auto b = learn_joint_dictionary(4096.0 * pair.high, pair.low, options);
  EXPECT_LT((a.low - b.low).norm(), 1e-9);
  EXPECT_LT((a.high - 64.0 * b.high).norm(), 1e-9);
}

TEST(Joint, BadInputIsAnError) {
  const Pair pair = pair_of(6);
  auto options = joint_options(4, 2, KernelUpdate::kMod);
  EXPECT_THROW(learn_joint_dictionary(pair.high, pair.low.topLeftCorner(5, 5), options), Error);
  EXPECT_THROW(learn_joint_dictionary(Matrix(), Matrix(), options), Error);
  EXPECT_THROW(learn_joint_dictionary(Matrix::Zero(4, 4), Matrix::Zero(4, 4), options), Error);
  options.lambda = 0.0;
  EXPECT_THROW(learn_joint_dictionary(pair.high, pair.low, options), Error);
  options.lambda = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(learn_joint_dictionary(pair.high, pair.low, options), Error);
  options = joint_options(4, 2, KernelUpdate::kKsvd);
  options.normalisation = JointNormalisation::kPaper;
  EXPECT_THROW(learn_joint_dictionary(pair.high, pair.low, options), Error);
}

}  // namespace
}  // namespace longshot
