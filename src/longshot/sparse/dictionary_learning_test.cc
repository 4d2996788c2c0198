// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/dictionary_learning.h"

#include <functional>
#include <utility>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

// A linear dictionary whose update step is given by the test.
class ScriptedProblem final : public LearningProblem {
 public:
  using Step = std::function<void(Matrix& dictionary, Matrix& codes)>;
  ScriptedProblem(Matrix samples, Matrix dictionary, Step step)
      : samples_(std::move(samples)),
        dictionary_(std::move(dictionary)),
        step_(std::move(step)),
        norms_(samples_.colwise().squaredNorm()) {}

  void start(const std::vector<Index>& /*samples*/) override {}
  void refresh() override {
    gram_ = dictionary_.transpose() * dictionary_;
    correlations_ = dictionary_.transpose() * samples_;
  }
  const Matrix& gram() const override { return gram_; }
  const Matrix& correlations() const override { return correlations_; }
  const Vector& squared_norms() const override { return norms_; }
  const Vector& update(Matrix& codes) override {
    step_(dictionary_, codes);
    residuals_ = (samples_ - dictionary_ * codes).colwise().squaredNorm();
    return residuals_;
  }
  void replace(Index atom, Index sample) override {
    dictionary_.col(atom) = samples_.col(sample).normalized();
    replaced.emplace_back(atom, sample);
  }
  const Matrix& dictionary() const override { return dictionary_; }
  void set_dictionary(const Matrix& dictionary) override { dictionary_ = dictionary; }
  double rounding() const override { return 1e-16; }

  std::vector<std::pair<Index, Index>> replaced;

 private:
  Matrix samples_;
  Matrix dictionary_;
  Step step_;
  Vector norms_;
  Matrix gram_;
  Matrix correlations_;
  Vector residuals_;
};

void leave_alone(Matrix& /*dictionary*/, Matrix& /*codes*/) {}

LearningOptions learning_options(Index sparsity, int sweeps, double tolerance = 0.0) {
  LearningOptions options;
  options.sparsity = sparsity;
  options.max_sweeps = sweeps;
  options.relative_tolerance = tolerance;
  return options;
}

TEST(MonotoneCoder, KeepsAnOldSupportThatGreedySelectionMisses) {
  // The third atom is closest to e1 + e2, but with it no two atoms represent the signal.
  Matrix dictionary = Matrix::Zero(3, 3);
  dictionary.col(0) = Vector::Unit(3, 0);
  dictionary.col(1) = Vector::Unit(3, 1);
  dictionary.col(2) = Vector{{1.0, 1.0, 0.3}}.normalized();
  const Vector signal{{1.0, 1.0, 0.0}};
  ScriptedProblem problem(signal, dictionary, leave_alone);
  problem.refresh();

  MonotoneCoder coder;
  Matrix codes = Matrix::Zero(3, 1);
  Vector residuals = problem.squared_norms();
  coder.code(problem, 2, codes, residuals);
  EXPECT_NE(codes(2, 0), 0.0);
  EXPECT_GT(residuals[0], 0.01);

  codes = Matrix::Zero(3, 1);
  codes(0, 0) = codes(1, 0) = 0.5;  // the right atoms, the wrong values
  residuals[0] = 0.5;
  coder.code(problem, 2, codes, residuals);
  EXPECT_LT((codes - Vector{{1.0, 1.0, 0.0}}).norm(), 1e-14);
  EXPECT_LT(residuals[0], 1e-14);
}

TEST(DictionaryLearning, AnUnusedAtomBecomesTheWorstSample) {
  const Matrix samples = Matrix::Identity(4, 4) * Vector{{3.0, 1.0, 2.0, 0.5}}.asDiagonal();
  Matrix dictionary = Matrix::Zero(4, 2);
  dictionary(0, 0) = 1.0;
  dictionary.col(1) = Vector{{0.0, 1.0, 0.0, 0.0}};
  ScriptedProblem problem(samples, dictionary,
                          [](Matrix& /*atoms*/, Matrix& codes) { codes.row(1).setZero(); });
  learn_dictionary(problem, {0}, learning_options(1, 1));
  ASSERT_EQ(problem.replaced.size(), 1U);
  EXPECT_EQ(problem.replaced[0], (std::pair<Index, Index>{1, 2}));
}

TEST(DictionaryLearning, AnUnusedAtomGoesWhenEverySampleIsExact) {
  const Matrix samples = Matrix::Identity(3, 2);
  ScriptedProblem problem(samples, Matrix::Identity(3, 3), leave_alone);
  const LearningResult result = learn_dictionary(problem, {0}, learning_options(1, 5));
  EXPECT_EQ(problem.dictionary(), Matrix(Matrix::Identity(3, 2)));
  EXPECT_EQ(result.codes, Matrix(Matrix::Identity(2, 2)));
  EXPECT_EQ(result.summary.stop, LearningStop::kExact);
}

TEST(DictionaryLearning, ACopyIsReplacedOnlyIfThatPays) {
  const Matrix samples = Matrix::Identity(4, 4);
  Matrix dictionary(4, 2);
  dictionary.col(0) = Vector::Unit(4, 0);
  dictionary.col(1) = Vector{{1.0, 0.02, 0.0, 0.0}}.normalized();
  ScriptedProblem pays(samples, dictionary, leave_alone);
  const LearningSummary summary = learn_dictionary(pays, {0}, learning_options(1, 1)).summary;
  ASSERT_EQ(pays.replaced.size(), 1U);
  EXPECT_NEAR(summary.objective, 2.0, 1e-12);
  EXPECT_NEAR(pays.gram()(0, 1), 0.0, 1e-12);

  // Ten samples on each of the two atoms outweigh one small sample off both.
  Matrix split(4, 21);
  split << dictionary.col(0).replicate(1, 10), dictionary.col(1).replicate(1, 10),
      1e-3 * Vector::Unit(4, 3);
  ScriptedProblem loses(split, dictionary, leave_alone);
  learn_dictionary(loses, {0}, learning_options(1, 3));
  EXPECT_EQ(loses.replaced.size(), 1U);
  EXPECT_EQ(loses.dictionary(), dictionary);
}

TEST(DictionaryLearning, TheBestSweepIsReturned) {
  const Matrix samples = small_problems::person(1);
  const Matrix start = samples.leftCols(4);
  int sweep = 0;
  ScriptedProblem problem(samples, start, [&](Matrix& dictionary, Matrix& codes) {
    // The second sweep forgets an atom and so ends worse than the first.
    if (++sweep == 2) codes.row(0).setZero();
    dictionary.col(0) = start.col(0);
  });
  const LearningResult result = learn_dictionary(problem, {0}, learning_options(2, 2, 0.0));
  ASSERT_EQ(result.summary.objectives.size(), 2U);
  EXPECT_GT(result.summary.objectives[1], result.summary.objectives[0]);
  EXPECT_EQ(result.summary.objective, result.summary.objectives[0]);
  EXPECT_NEAR((samples - problem.dictionary() * result.codes).squaredNorm(),
              result.summary.objective, 1e-12);
}

TEST(DictionaryLearning, NoStartIsAnError) {
  ScriptedProblem problem(Matrix::Identity(3, 3), Matrix::Identity(3, 2), leave_alone);
  EXPECT_THROW(learn_dictionary(problem, {}, {}), Error);
  EXPECT_THROW(learn_dictionary(problem, {0}, learning_options(0, 1)), Error);
}

}  // namespace
}  // namespace longshot
