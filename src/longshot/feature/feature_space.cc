// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/feature_space.h"

#include <utility>

#include "longshot/core/error.h"

namespace longshot {

FeatureSpace FeatureSpace::learn(const MatrixRef& images, const FeatureOptions& options) {
  options.check();
  if (images.rows() == 0) throw Error("The images to learn features from have no pixels.");
  if (images.cols() < 2) {
    return {options.normalisation, Vector::Zero(images.rows()),
            Matrix::Identity(images.rows(), images.rows())};
  }
  Pca pca = learn_pca(normalise_columns(images, options.normalisation), options.pca);
  if (pca.dimensions() == 0)
    throw Error("All training images are the same; nothing can be learnt.");
  if (options.centre) return {options.normalisation, std::move(pca.mean), std::move(pca.basis)};
  const Vector outside = pca.mean - pca.basis * (pca.basis.transpose() * pca.mean);
  if (outside.norm() > 1e-9 * pca.mean.norm()) {
    pca.basis.conservativeResize(Eigen::NoChange, pca.basis.cols() + 1);
    pca.basis.rightCols(1) = outside.normalized();
  }
  return {options.normalisation, Vector::Zero(pca.mean.size()), std::move(pca.basis)};
}

FeatureSpace::FeatureSpace(Normalisation normalisation, Vector mean, Matrix basis)
    : normalisation_(normalisation), mean_(std::move(mean)), basis_(std::move(basis)) {
  if (mean_.size() != basis_.rows() || basis_.cols() == 0 || !mean_.allFinite() ||
      !basis_.allFinite()) {
    throw Error(ErrorKind::damaged,
                "The feature space is damaged: a mean of {} values and a basis of {} x {}.",
                mean_.size(), basis_.rows(), basis_.cols());
  }
  is_identity_ = basis_.rows() == basis_.cols() && basis_.isIdentity(0.0);
}

Matrix FeatureSpace::features(const MatrixRef& images) const {
  if (images.rows() != pixels()) {
    throw Error("The images have {} pixels, but the model was learnt for {}.", images.rows(),
                pixels());
  }
  const Matrix normalised = normalise_columns(images, normalisation_);
  Matrix result = normalised.colwise() - mean_;
  if (!is_identity_) result = basis_.transpose() * result;
  for (Index j = 0; j < result.cols(); ++j) {
    if (normalised.col(j).isZero(0.0)) result.col(j).setZero();
  }
  return result;
}

}  // namespace longshot
