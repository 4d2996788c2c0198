// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/dictionary_learning.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

// Atoms with a larger |cosine| are taken for copies of each other.
constexpr double kSameAtom = 0.99;

bool is_unused(const Matrix& codes, Index atom) {
  for (Index j = 0; j < codes.cols(); ++j)
    if (codes(atom, j) != 0.0) return false;
  return true;
}

// Hands out the worst coded samples, each at most once per sweep.
class WorstSamples {
 public:
  WorstSamples(const Vector& squared_residuals, const Vector& squared_norms, double rounding)
      : residuals_(squared_residuals), floor_(rounding * squared_norms.maxCoeff()) {}

  // -1 if all that is left is coded up to rounding.
  Index next() {
    Index worst = -1;
    double largest = floor_;
    for (Index j = 0; j < residuals_.size(); ++j) {
      if (residuals_[j] > largest) {
        largest = residuals_[j];
        worst = j;
      }
    }
    if (worst >= 0) residuals_[worst] = 0.0;
    return worst;
  }

 private:
  Vector residuals_;
  double floor_;
};

class Learner {
 public:
  Learner(LearningProblem& problem, const LearningOptions& options)
      : problem_(problem), options_(options) {}

  LearningResult run(const std::vector<Index>& start);

 private:
  void tidy();
  bool replace_unused(WorstSamples& worst);
  void replace_copies(WorstSamples& worst);
  std::vector<Index> copies() const;
  void drop(Index atom);
  bool finished();
  void keep_if_best();

  LearningProblem& problem_;
  LearningOptions options_;
  MonotoneCoder coder_;
  Matrix codes_;      // K x m
  Vector residuals_;  // m, squared
  Matrix best_dictionary_;
  Matrix best_codes_;
  LearningSummary summary_;
  bool copies_may_help_ = true;
};

LearningResult Learner::run(const std::vector<Index>& start) {
  problem_.start(start);
  problem_.refresh();
  codes_ = Matrix::Zero(problem_.gram().rows(), problem_.correlations().cols());
  residuals_ = problem_.squared_norms();
  summary_.objective = std::numeric_limits<double>::infinity();
  do {
    coder_.code(problem_, options_.sparsity, codes_, residuals_);
    residuals_ = problem_.update(codes_);
    problem_.refresh();
    summary_.objectives.push_back(residuals_.sum());
    ++summary_.sweeps;
    tidy();
    keep_if_best();
  } while (!finished());
  if (summary_.objectives.back() > summary_.objective) {
    problem_.set_dictionary(best_dictionary_);
    codes_ = best_codes_;
  }
  return {std::move(codes_), std::move(summary_)};
}

void Learner::tidy() {
  WorstSamples worst(residuals_, problem_.squared_norms(), problem_.rounding());
  if (replace_unused(worst)) problem_.refresh();
  if (copies_may_help_) replace_copies(worst);
}

// Free of cost: nobody's code changes.
bool Learner::replace_unused(WorstSamples& worst) {
  bool changed = false;
  for (Index k = codes_.rows() - 1; k >= 0; --k) {
    if (!is_unused(codes_, k)) continue;
    const Index sample = worst.next();
    if (sample >= 0) {
      problem_.replace(k, sample);
    } else if (codes_.rows() > 1) {
      drop(k);
    }
    changed = true;
  }
  return changed;
}

void Learner::drop(Index atom) {
  const Index rest = codes_.rows() - 1 - atom;
  const Matrix& dictionary = problem_.dictionary();
  Matrix fewer_atoms(dictionary.rows(), dictionary.cols() - 1);
  fewer_atoms << dictionary.leftCols(atom), dictionary.rightCols(rest);
  problem_.set_dictionary(fewer_atoms);
  Matrix fewer_codes(codes_.rows() - 1, codes_.cols());
  fewer_codes << codes_.topRows(atom), codes_.bottomRows(rest);
  codes_ = std::move(fewer_codes);
}

std::vector<Index> Learner::copies() const {
  const Matrix& gram = problem_.gram();
  std::vector<Index> found;
  for (Index k = 1; k < gram.rows(); ++k) {
    for (Index j = 0; j < k; ++j) {
      if (gram(j, k) * gram(j, k) > kSameAtom * kSameAtom * gram(j, j) * gram(k, k)) {
        found.push_back(k);
        break;
      }
    }
  }
  return found;
}

// Takes an atom away from samples that use it, so the exchange is kept only if it pays. One that
// did not is taken as a sign that these samples are alike by nature, and ends the attempts.
void Learner::replace_copies(WorstSamples& worst) {
  const std::vector<Index> found = copies();
  if (found.empty()) return;
  const Matrix codes_before = codes_;
  const Vector residuals_before = residuals_;
  const double objective_before = residuals_.sum();
  const Matrix dictionary_before = problem_.dictionary();
  for (const Index k : found) {
    const Index sample = worst.next();
    if (sample < 0) break;
    problem_.replace(k, sample);
    codes_.row(k).setZero();
  }
  problem_.refresh();
  // The residuals of the thinned codes are not known, and must not be taken for small.
  residuals_.setConstant(std::numeric_limits<double>::infinity());
  coder_.code(problem_, options_.sparsity, codes_, residuals_);
  if (residuals_.sum() < objective_before) {
    summary_.objectives.back() = residuals_.sum();
    return;
  }
  copies_may_help_ = false;
  problem_.set_dictionary(dictionary_before);
  problem_.refresh();
  codes_ = codes_before;
  residuals_ = residuals_before;
}

void Learner::keep_if_best() {
  if (!(summary_.objectives.back() <= summary_.objective)) return;
  summary_.objective = summary_.objectives.back();
  best_dictionary_ = problem_.dictionary();
  best_codes_ = codes_;
}

bool Learner::finished() {
  const std::vector<double>& objectives = summary_.objectives;
  if (objectives.back() <= problem_.rounding() * problem_.squared_norms().sum()) {
    summary_.stop = LearningStop::kExact;
    return true;
  }
  if (objectives.size() > 1) {
    const double before = objectives[objectives.size() - 2];
    if (before - objectives.back() <= options_.relative_tolerance * before) {
      summary_.stop = LearningStop::kConverged;
      return true;
    }
  }
  return summary_.sweeps >= options_.max_sweeps;
}

}  // namespace

void LearningOptions::check() const {
  if (atoms < 1) throw Error("LearningOptions.atoms must be at least 1, but it is {}.", atoms);
  if (sparsity < 1)
    throw Error("LearningOptions.sparsity must be at least 1, but it is {}.", sparsity);
  if (max_sweeps < 1)
    throw Error("LearningOptions.max_sweeps must be at least 1, but it is {}.", max_sweeps);
  if (!(relative_tolerance >= 0.0 && relative_tolerance < 1.0))
    throw Error("LearningOptions.relative_tolerance must be in [0, 1), but it is {}.",
                relative_tolerance);
}

LearningResult learn_dictionary(LearningProblem& problem, const std::vector<Index>& start,
                                const LearningOptions& options) {
  options.check();
  if (start.empty())
    throw Error("All training samples are zero, so there is nothing to learn a dictionary from.");
  return Learner(problem, options).run(start);
}

void MonotoneCoder::code(const LearningProblem& problem, Index sparsity, Matrix& codes,
                         Vector& squared_residuals) {
  const Matrix& gram = problem.gram();
  const OmpOptions options{sparsity, 0.0};
  old_support_.reserve(static_cast<std::size_t>(codes.rows()));
  for (Index j = 0; j < codes.cols(); ++j) {
    look_for_interrupt();
    const double* const correlations = problem.correlations().col(j).data();
    const double squared_norm = problem.squared_norms()[j];
    OmpWorkspace::Outcome best = workspace_.pursue(gram, correlations, squared_norm, options);
    const OmpWorkspace* winner = &workspace_;

    old_support_.clear();
    for (Index k = 0; k < codes.rows(); ++k)
      if (codes(k, j) != 0.0) old_support_.push_back(k);
    const bool same_support =
        static_cast<Index>(old_support_.size()) == best.used &&
        std::all_of(workspace_.support().begin(), workspace_.support().begin() + best.used,
                    [&](Index k) { return codes(k, j) != 0.0; });
    if (!same_support && !old_support_.empty()) {
      const OmpWorkspace::Outcome old =
          refit_.refit(gram, correlations, squared_norm, old_support_);
      if (old.squared_residual < best.squared_residual) {
        best = old;
        winner = &refit_;
      }
    }
    if (!old_support_.empty() && squared_residuals[j] < best.squared_residual) continue;
    codes.col(j).setZero();
    for (Index i = 0; i < best.used; ++i)
      codes(winner->support()[static_cast<std::size_t>(i)], j) = winner->coefficients()[i];
    squared_residuals[j] = best.squared_residual;
  }
}

}  // namespace longshot
