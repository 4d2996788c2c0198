// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/kernel_dictionary.h"

#include <cmath>
#include <utility>
#include <vector>

#include <Eigen/QR>

#include "longshot/core/error.h"
#include "longshot/sparse/dominant_eigen.h"
#include "longshot/sparse/farthest_selection.h"
#include "longshot/sparse/kernel.h"

namespace longshot {
namespace {

constexpr double kPseudoInverseCut = 1e-10;

class KernelProblem final : public LearningProblem {
 public:
  KernelProblem(const Matrix& kernel, KernelUpdate rule)
      : kernel_(kernel),
        rule_(rule),
        squared_norms_(kernel.diagonal()),
        smallest_atom_(kKernelRounding * kernel.diagonal().maxCoeff()),
        errors_(kernel.rows(), kernel.cols()),
        error_images_(kernel.rows(), kernel.cols()),
        user_errors_(kernel.rows(), kernel.cols()),
        user_images_(kernel.rows(), kernel.cols()),
        products_(kernel.rows(), kernel.cols()),
        atom_(kernel.rows()),
        image_(kernel.rows()),
        row_(kernel.rows()),
        squared_residuals_(kernel.rows()) {
    users_.reserve(static_cast<std::size_t>(kernel.rows()));
  }

  void start(const std::vector<Index>& samples) override {
    coefficients_.resize(kernel_.rows(), static_cast<Index>(samples.size()));
    for (std::size_t k = 0; k < samples.size(); ++k) replace(static_cast<Index>(k), samples[k]);
  }
  void refresh() override {
    images_.noalias() = kernel_ * coefficients_;
    gram_.noalias() = coefficients_.transpose() * images_;
    correlations_ = images_.transpose();
  }
  const Matrix& gram() const override { return gram_; }
  const Matrix& correlations() const override { return correlations_; }
  const Vector& squared_norms() const override { return squared_norms_; }
  const Vector& update(Matrix& codes) override;
  void replace(Index atom, Index sample) override {
    coefficients_.col(atom).setZero();
    coefficients_(sample, atom) = 1.0 / std::sqrt(kernel_(sample, sample));
  }
  const Matrix& dictionary() const override { return coefficients_; }
  void set_dictionary(const Matrix& dictionary) override { coefficients_ = dictionary; }
  double rounding() const override { return kKernelRounding; }

 private:
  void update_by_pseudo_inverse(Matrix& codes);
  void update_atom(Index k, Matrix& codes);
  void subtract_codes(const Matrix& codes);

  const Matrix& kernel_;  // m x m
  KernelUpdate rule_;
  Vector squared_norms_;  // m
  double smallest_atom_;  // squared norm below which an atom counts as unused
  Matrix coefficients_;   // A, m x K
  Matrix images_;         // Kx A, m x K
  Matrix gram_;           // A' Kx A, K x K
  Matrix correlations_;   // A' Kx, K x m
  Matrix errors_;         // I - A G, m x m
  Matrix error_images_;   // Kx (I - A G), m x m
  // Of one atom's users, in the first columns: M of the method, Kx M, and M' Kx M.
  Matrix user_errors_;
  Matrix user_images_;
  Matrix products_;
  Vector atom_;   // m: a_k before it is scaled
  Vector image_;  // m: Kx a_k before it is scaled
  Vector row_;
  Vector squared_residuals_;
  std::vector<Index> users_;
  DominantEigen eigen_;
};

// Needs images_ of the present coefficients.
void KernelProblem::subtract_codes(const Matrix& codes) {
  errors_.setIdentity();
  error_images_ = kernel_;
  for (Index j = 0; j < codes.cols(); ++j) {
    for (Index k = 0; k < codes.rows(); ++k) {
      if (codes(k, j) == 0.0) continue;
      errors_.col(j) -= codes(k, j) * coefficients_.col(k);
      error_images_.col(j) -= codes(k, j) * images_.col(k);
    }
  }
}

void KernelProblem::update_by_pseudo_inverse(Matrix& codes) {
  coefficients_ = mod_coefficients(codes);
  images_.noalias() = kernel_ * coefficients_;
  for (Index k = 0; k < codes.rows(); ++k) {
    const double squared_norm = coefficients_.col(k).dot(images_.col(k));
    if (squared_norm > smallest_atom_ * coefficients_.col(k).squaredNorm()) {
      // nu_k of the method: the product A G stays as it is.
      const double norm = std::sqrt(squared_norm);
      coefficients_.col(k) *= 1.0 / norm;
      images_.col(k) *= 1.0 / norm;
      codes.row(k) *= norm;
    } else {
      codes.row(k).setZero();
    }
  }
  subtract_codes(codes);
}

void KernelProblem::update_atom(Index k, Matrix& codes) {
  users_.clear();
  for (Index j = 0; j < codes.cols(); ++j)
    if (codes(k, j) != 0.0) users_.push_back(j);
  const Index count = static_cast<Index>(users_.size());
  if (count == 0) return;
  auto errors = user_errors_.leftCols(count);
  auto images = user_images_.leftCols(count);
  auto products = products_.topLeftCorner(count, count);
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    errors.col(i) = errors_.col(j) + codes(k, j) * coefficients_.col(k);
    images.col(i) = error_images_.col(j) + codes(k, j) * images_.col(k);
    for (Index a = 0; a <= i; ++a)
      products(a, i) = products(i, a) = errors.col(a).dot(images.col(i));
  }
  auto row = row_.head(count);
  eigen_.compute(products, row);
  atom_.setZero();
  image_.setZero();
  for (Index i = 0; i < count; ++i) {
    atom_ += row[i] * errors.col(i);
    image_ += row[i] * images.col(i);
  }
  const double eigenvalue = atom_.dot(image_);
  const bool useful = eigenvalue > smallest_atom_;
  if (useful) {
    coefficients_.col(k) = (1.0 / std::sqrt(eigenvalue)) * atom_;
    images_.col(k) = (1.0 / std::sqrt(eigenvalue)) * image_;
  }
  for (Index i = 0; i < count; ++i) {
    const Index j = users_[static_cast<std::size_t>(i)];
    codes(k, j) = useful ? images_.col(k).dot(errors.col(i)) : 0.0;
    errors_.col(j) = errors.col(i) - codes(k, j) * coefficients_.col(k);
    error_images_.col(j) = images.col(i) - codes(k, j) * images_.col(k);
  }
}

const Vector& KernelProblem::update(Matrix& codes) {
  if (rule_ == KernelUpdate::kMod) {
    update_by_pseudo_inverse(codes);
  } else {
    subtract_codes(codes);
    for (Index k = 0; k < codes.rows(); ++k) update_atom(k, codes);
  }
  for (Index j = 0; j < codes.cols(); ++j)
    squared_residuals_[j] = std::max(0.0, errors_.col(j).dot(error_images_.col(j)));
  return squared_residuals_;
}

}  // namespace

Matrix mod_coefficients(const MatrixRef& codes) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kPseudoInverseCut);
  decomposition.compute(codes.transpose());
  return decomposition.pseudoInverse().transpose();
}

Matrix checked_gram(const MatrixRef& gram, const char* name) {
  if (gram.rows() == 0 || gram.rows() != gram.cols())
    throw Error("{} must be square and not empty, but it is {} x {}.", name, gram.rows(),
                gram.cols());
  if (!gram.allFinite()) throw Error("{} holds a NaN or infinity.", name);
  if (gram.diagonal().minCoeff() < 0.0) throw Error("{} has a negative diagonal entry.", name);
  if ((gram - gram.transpose()).cwiseAbs().maxCoeff() > 1e-8 * gram.cwiseAbs().maxCoeff())
    throw Error("{} is not symmetric.", name);
  Matrix copy = gram;
  symmetrise(copy);
  return copy;
}

KernelDictionaryResult learn_kernel_dictionary(const MatrixRef& gram,
                                               const KernelDictionaryOptions& options) {
  options.check();
  const Matrix kernel = checked_gram(gram, "The kernel matrix of the samples");
  KernelProblem problem(kernel, options.update);
  LearningResult learnt =
      learn_dictionary(problem, farthest_selection(kernel, options.atoms), options);
  return {problem.dictionary(), std::move(learnt.codes), std::move(learnt.summary)};
}

}  // namespace longshot
