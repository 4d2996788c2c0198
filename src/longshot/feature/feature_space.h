// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/feature/pca.h"
#include "longshot/feature/photometric.h"

namespace longshot {

struct FeatureOptions {
  Normalisation normalisation = Normalisation::kUnitNorm;
  PcaOptions pca = {0, 0.9999};
  // Whether the training mean is subtracted. The directions are those of the centred images either
  // way; without, the mean's own direction is added to them, so that nothing of an image is lost.
  bool centre = true;

  void check() const { pca.check(); }
};

// Images of one resolution -> features: normalisation, then projection. This is the place for any
// feature that is extracted from the low-resolution image directly (the paper's "generic dictionary
// learning"): a linear one is a basis, another a Normalisation.
class FeatureSpace {
 public:
  FeatureSpace() = default;

  // PCA of the training images (N x n). Without training images the normalised pixels are the
  // features, which full PCA, an isometry, would not improve on.
  static FeatureSpace learn(const MatrixRef& images, const FeatureOptions& options);
  // What learn() gave, from a file.
  FeatureSpace(Normalisation normalisation, Vector mean, Matrix basis);

  // N x n -> d x n. An image without content (all black) has the feature 0.
  Matrix features(const MatrixRef& images) const;

  Index pixels() const { return mean_.size(); }
  Index dimensions() const { return basis_.cols(); }
  Normalisation normalisation() const { return normalisation_; }
  const Vector& mean() const { return mean_; }
  const Matrix& basis() const { return basis_; }

 private:
  Normalisation normalisation_ = Normalisation::kUnitNorm;
  Vector mean_;   // N
  Matrix basis_;  // N x d
  // Of thousands of pixels the product would take longer than all else.
  bool is_identity_ = false;
};

}  // namespace longshot
