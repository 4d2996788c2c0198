// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/camera/person_images.h"
#include "longshot/core/matrix.h"
#include "longshot/feature/feature_space.h"

namespace longshot {

// Covariance of images (N x n) about the mean of each one's class.
Matrix within_class_covariance(const MatrixRef& features, const std::vector<int>& classes);

// Covariance of normalised images when sensor noise of `level` times the mean intensity is added to
// each image, to first order in the noise; the mean over the images (N x n).
Matrix noise_covariance(const MatrixRef& images, Normalisation normalisation, double level);

// Covariance of normalised images when faces lie beside their place by `deviation` (in widths or
// heights of the image) in either direction and are that fraction larger or smaller; and when the
// camera's own framing, blur and tone are only known as well as the geometry says. Single places of
// a face that move on their own, smoothly, are the covariance of a shift, less the further two
// pixels are from each other.
Matrix registration_covariance(const MatrixRef& photos_high, const Extender& extender,
                               Normalisation normalisation, double deviation);

}  // namespace longshot
