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

// An atom that a step turns by less, squared, is as good as the singular vector. Where the two
// largest singular values are close, that takes long, and repeated squaring takes over.
constexpr double kSquaredTurn = 1e-18;
constexpr int kMostSteps = 20;

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
  double power_step(const MatrixRef& errors, Eigen::Ref<Vector>& row, Eigen::Ref<Vector>& atom);
  bool iterate(const MatrixRef& errors, Eigen::Ref<Vector>& row, Eigen::Ref<Vector>& atom);
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

// d = E g / |E g| and g = E' d, which never leaves a larger residual than before. Returns by how
// much d has turned, squared.
double KsvdProblem::power_step(const MatrixRef& errors, Eigen::Ref<Vector>& row,
                               Eigen::Ref<Vector>& atom) {
  direction_.noalias() = errors * row;
  const double length = direction_.norm();
  if (length > 0.0) direction_ *= 1.0 / length;
  row.noalias() = errors.transpose() * direction_;
  if (!(length > 0.0)) return 0.0;
  const double squared_turn = (direction_ - atom).squaredNorm();
  atom = direction_;
  return squared_turn;
}

// The present code is near the answer, so few steps do; false if they do not.
bool KsvdProblem::iterate(const MatrixRef& errors, Eigen::Ref<Vector>& row,
                          Eigen::Ref<Vector>& atom) {
  const int most_steps = rule_ == KsvdUpdate::kExact ? kMostSteps : 1;
  for (int i = 0; i < most_steps; ++i)
    if (power_step(errors, row, atom) <= kSquaredTurn) return true;
  return false;
}

void KsvdProblem::update_atom(Index k, Matrix& codes) {
  users_.clear();
  for (Index j = 0; j < codes.cols(); ++j)
    if (codes(k, j) != 0.0) users_.push_back(j);
  const Index count = static_cast<Index>(users_.size());
  if (count == 0) return;
  Eigen::Ref<Vector> atom = dictionary_.col(k);
  auto errors = errors_.leftCols(count);
  Eigen::Ref<Vector> row = row_.head(count);
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    row[i] = codes(k, j);
    errors.col(i) = residual_.col(j) + row[i] * atom;
  }
  if (!iterate(errors, row, atom) && rule_ == KsvdUpdate::kExact) {
    auto products = products_.topLeftCorner(count, count);
    products.noalias() = errors.transpose() * errors;
    eigen_.compute(products, row);
    power_step(errors, row, atom);
  }
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    codes(k, j) = row[i];
    residual_.col(j) = errors.col(i) - row[i] * atom;
  }
}

const Vector& KsvdProblem::update(Matrix& codes) {
  residual_ = samples_;
  residual_.noalias() -= dictionary_ * codes;
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
