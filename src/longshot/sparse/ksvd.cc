// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/ksvd.h"

#include <utility>
#include <vector>

#include <Eigen/QR>

#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"
#include "longshot/sparse/dominant_eigen.h"
#include "longshot/sparse/farthest_selection.h"

namespace longshot {
namespace {

class KsvdProblem final : public LearningProblem {
 public:
  KsvdProblem(Matrix samples, KsvdUpdate rule)
      : samples_(std::move(samples)),
        rule_(rule),
        squared_norms_(samples_.colwise().squaredNorm()),
        residual_(samples_.rows(), samples_.cols()),
        errors_(samples_.rows(), samples_.cols()),
        products_(samples_.cols(), samples_.cols()),
        direction_(samples_.rows()),
        row_(samples_.cols()),
        squared_residuals_(samples_.cols()) {
    users_.reserve(static_cast<std::size_t>(samples_.cols()));
  }

  void start(const std::vector<Index>& samples) override {
    dictionary_.resize(samples_.rows(), static_cast<Index>(samples.size()));
    for (std::size_t k = 0; k < samples.size(); ++k) replace(static_cast<Index>(k), samples[k]);
  }
  void refresh() override {
    gram_.noalias() = dictionary_.transpose() * dictionary_;
    correlations_.noalias() = dictionary_.transpose() * samples_;
  }
  const Matrix& gram() const override { return gram_; }
  const Matrix& correlations() const override { return correlations_; }
  const Vector& squared_norms() const override { return squared_norms_; }
  const Vector& update(Matrix& codes) override;
  void replace(Index atom, Index sample) override {
    dictionary_.col(atom) = samples_.col(sample).normalized();
  }
  const Matrix& dictionary() const override { return dictionary_; }
  void set_dictionary(const Matrix& dictionary) override { dictionary_ = dictionary; }
  double rounding() const override { return 1e-16; }  // norms below 1e-8

 private:
  void subtract_codes(const Matrix& codes);
  void update_atom(Index k, Matrix& codes);

  Matrix samples_;  // d x m
  KsvdUpdate rule_;
  Vector squared_norms_;  // m
  Matrix dictionary_;     // d x K
  Matrix gram_;           // K x K
  Matrix correlations_;   // K x m
  Matrix residual_;       // d x m: X - D G
  Matrix errors_;         // d x m, columns of one atom's users: E of the method
  Matrix products_;       // m x m: E' E in its corner
  Vector direction_;      // d: the new atom before it is scaled
  Vector row_;            // m: the atom's coefficients at its users
  Vector squared_residuals_;
  std::vector<Index> users_;
  DominantEigen eigen_;
};

void KsvdProblem::subtract_codes(const Matrix& codes) {
  residual_ = samples_;
  for (Index j = 0; j < codes.cols(); ++j)
    for (Index k = 0; k < codes.rows(); ++k)
      if (codes(k, j) != 0.0) residual_.col(j) -= codes(k, j) * dictionary_.col(k);
}

void KsvdProblem::update_atom(Index k, Matrix& codes) {
  users_.clear();
  for (Index j = 0; j < codes.cols(); ++j)
    if (codes(k, j) != 0.0) users_.push_back(j);
  const Index count = static_cast<Index>(users_.size());
  if (count == 0) return;
  auto atom = dictionary_.col(k);
  auto errors = errors_.leftCols(count);
  auto row = row_.head(count);
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    row[i] = codes(k, j);
    errors.col(i) = residual_.col(j) + row[i] * atom;
  }
  if (rule_ == KsvdUpdate::kExact) {
    auto products = products_.topLeftCorner(count, count);
    for (Index b = 0; b < count; ++b)
      for (Index a = 0; a <= b; ++a)
        products(a, b) = products(b, a) = errors.col(a).dot(errors.col(b));
    eigen_.compute(products, row);
  }
  // For the exact rule the row is now the right singular vector v, and E v = s1 u.
  direction_.setZero();
  for (Index i = 0; i < count; ++i) direction_ += row[i] * errors.col(i);
  const double length = direction_.norm();
  if (length > 0.0) atom = (1.0 / length) * direction_;
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    codes(k, j) = length > 0.0 ? atom.dot(errors.col(i)) : 0.0;
    residual_.col(j) = errors.col(i) - codes(k, j) * atom;
  }
}

const Vector& KsvdProblem::update(Matrix& codes) {
  subtract_codes(codes);
  for (Index k = 0; k < codes.rows(); ++k) {
    look_for_interrupt();
    update_atom(k, codes);
  }
  squared_residuals_ = residual_.colwise().squaredNorm();
  return squared_residuals_;
}

KsvdResult learn(const Matrix& samples, const KsvdOptions& options) {
  KsvdProblem problem(samples, options.update);
  const Matrix gram = samples.transpose() * samples;
  LearningResult learnt =
      learn_dictionary(problem, farthest_selection(gram, options.atoms), options);
  return {problem.dictionary(), std::move(learnt.codes), std::move(learnt.summary)};
}

}  // namespace

KsvdResult ksvd(const MatrixRef& samples, const KsvdOptions& options) {
  options.check();
  if (samples.size() == 0)
    throw Error("K-SVD needs samples, but the matrix is {} x {}.", samples.rows(), samples.cols());
  if (!samples.allFinite()) throw Error("The training samples hold a NaN or infinity.");
  if (samples.rows() <= samples.cols()) return learn(samples, options);
  // All atoms lie in the span of the samples, so m coordinates are as good as d.
  const Eigen::HouseholderQR<Matrix> qr(samples);
  const Index m = samples.cols();
  const Matrix coordinates = qr.matrixQR().topRows(m).triangularView<Eigen::Upper>();
  KsvdResult result = learn(coordinates, options);
  Matrix dictionary = Matrix::Zero(samples.rows(), result.dictionary.cols());
  dictionary.topRows(m) = result.dictionary;
  dictionary.applyOnTheLeft(qr.householderQ());
  result.dictionary = std::move(dictionary);
  return result;
}

}  // namespace longshot
