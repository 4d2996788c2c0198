// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/joint.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/sparse/farthest_selection.h"

namespace longshot {
namespace {

// Scales the columns of A to unit norm in the kernel and returns the norms they had.
Vector normalise(const Matrix& kernel, Eigen::Ref<Matrix> coefficients) {
  const double smallest = kKernelRounding * kernel.diagonal().maxCoeff();
  const Matrix images = kernel * coefficients;
  Vector scales = Vector::Ones(coefficients.cols());
  for (Index k = 0; k < coefficients.cols(); ++k) {
    const double squared_norm = coefficients.col(k).dot(images.col(k));
    if (!(squared_norm > smallest * coefficients.col(k).squaredNorm())) continue;
    scales[k] = std::sqrt(squared_norm);
    coefficients.col(k) /= scales[k];
  }
  return scales;
}

// The paper's loop, kept for comparison: A^H over A^L, each scaled in its own kernel.
class SeparatelyNormalisedProblem final : public LearningProblem {
 public:
  SeparatelyNormalisedProblem(const Matrix& high, const Matrix& low, double lambda)
      : high_(high),
        low_(low),
        lambda_(lambda),
        m_(high.rows()),
        squared_norms_(high.diagonal() + lambda * low.diagonal()) {}

  void start(const std::vector<Index>& samples) override {
    dictionary_.resize(2 * m_, static_cast<Index>(samples.size()));
    for (std::size_t k = 0; k < samples.size(); ++k) replace(static_cast<Index>(k), samples[k]);
  }
  void refresh() override {
    const Matrix high_images = high_ * dictionary_.topRows(m_);
    const Matrix low_images = lambda_ * (low_ * dictionary_.bottomRows(m_));
    gram_ = dictionary_.topRows(m_).transpose() * high_images +
            dictionary_.bottomRows(m_).transpose() * low_images;
    correlations_ = (high_images + low_images).transpose();
  }
  const Matrix& gram() const override { return gram_; }
  const Matrix& correlations() const override { return correlations_; }
  const Vector& squared_norms() const override { return squared_norms_; }
  const Vector& update(Matrix& codes) override {
    dictionary_ = mod_coefficients(codes).replicate(2, 1);
    scale_atoms(codes);
    const Matrix identity = Matrix::Identity(m_, m_);
    const Matrix high_errors = identity - dictionary_.topRows(m_) * codes;
    const Matrix low_errors = identity - dictionary_.bottomRows(m_) * codes;
    squared_residuals_ = (high_errors.cwiseProduct(high_ * high_errors) +
                          lambda_ * low_errors.cwiseProduct(low_ * low_errors))
                             .colwise()
                             .sum()
                             .cwiseMax(0.0);
    return squared_residuals_;
  }
  void replace(Index atom, Index sample) override {
    dictionary_.col(atom).setZero();
    if (high_(sample, sample) > 0.0)
      dictionary_(sample, atom) = 1.0 / std::sqrt(high_(sample, sample));
    if (low_(sample, sample) > 0.0)
      dictionary_(m_ + sample, atom) = 1.0 / std::sqrt(low_(sample, sample));
  }
  const Matrix& dictionary() const override { return dictionary_; }
  void set_dictionary(const Matrix& dictionary) override { dictionary_ = dictionary; }
  double rounding() const override { return kKernelRounding; }

 private:
  // No scale of the shared codes suits both; the geometric mean is the fairest.
  void scale_atoms(Matrix& codes) {
    const Vector high_scales = normalise(high_, dictionary_.topRows(m_));
    const Vector low_scales = normalise(low_, dictionary_.bottomRows(m_));
    codes = high_scales.cwiseProduct(low_scales).cwiseSqrt().asDiagonal() * codes;
  }

  const Matrix& high_;  // K_H, m x m
  const Matrix& low_;   // K_L, m x m
  double lambda_;
  Index m_;
  Vector squared_norms_;  // m
  Matrix dictionary_;     // 2m x K
  Matrix gram_;           // K x K
  Matrix correlations_;   // K x m
  Vector squared_residuals_;
};

// A kernel of zeros stays as it is: the other one may still carry the samples.
Matrix scaled_to_unit_mean_diagonal(const Matrix& kernel) {
  const double mean = kernel.diagonal().mean();
  return mean > 0.0 ? Matrix(kernel / mean) : kernel;
}

}  // namespace

void JointDictionaryOptions::check() const {
  KernelDictionaryOptions::check();
  if (!(lambda > 0.0 && std::isfinite(lambda)))
    throw Error("JointDictionaryOptions.lambda must be positive, but it is {}.", lambda);
  if (normalisation == JointNormalisation::kPaper && update != KernelUpdate::kMod)
    throw Error(
        "JointDictionaryOptions.normalisation = paper goes with the update rule mod only; choose "
        "that rule or the joint normalisation.");
}

JointDictionaryResult learn_joint_dictionary(const MatrixRef& high_gram, const MatrixRef& low_gram,
                                             const JointDictionaryOptions& options) {
  options.check();
  const Matrix high_kernel = checked_gram(high_gram, "The high-resolution kernel matrix");
  const Matrix low_kernel = checked_gram(low_gram, "The low-resolution kernel matrix");
  if (high_kernel.rows() != low_kernel.rows())
    throw Error("Joint learning needs pairs, but there are {} high- and {} low-resolution samples.",
                high_kernel.rows(), low_kernel.rows());
  const Matrix high = scaled_to_unit_mean_diagonal(high_kernel);
  const Matrix low = scaled_to_unit_mean_diagonal(low_kernel);
  const Matrix sum = high + options.lambda * low;

  JointDictionaryResult result;
  if (options.normalisation == JointNormalisation::kPaper) {
    SeparatelyNormalisedProblem problem(high, low, options.lambda);
    LearningResult learnt =
        learn_dictionary(problem, farthest_selection(sum, options.atoms), options);
    result.high = problem.dictionary().topRows(sum.rows());
    result.low = problem.dictionary().bottomRows(sum.rows());
    result.codes = std::move(learnt.codes);
    result.summary = std::move(learnt.summary);
  } else {
    KernelDictionaryResult learnt = learn_kernel_dictionary(sum, options);
    result.high = learnt.coefficients;
    result.low = std::move(learnt.coefficients);
    result.codes = std::move(learnt.codes);
    result.summary = std::move(learnt.summary);
  }
  result.high_scales = normalise(high_kernel, result.high);
  result.low_scales = normalise(low_kernel, result.low);
  return result;
}

}  // namespace longshot
