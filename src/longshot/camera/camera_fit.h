// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/camera/camera.h"

namespace longshot {

// Finds out a camera from unlabelled crops by the most likely way in which it shows faces like
// those of the gallery (camera_problem.h). Each crop, at zero mean and unit norm, is near one of
// the sharp faces, moved, blurred, sampled and toned as the camera does, and noisy. Single faces
// count, not only their mean, so that sharpness and scale are determined as well as the place. The
// maximum (with the priors below) is found by Fisher scoring.
struct CameraFitOptions {
  // Deviations of the normal priors about no registration, a usual blur and a straight tone curve.
  double shift = 0.05;      // in widths and heights of the crop, > 0
  double log_scale = 0.06;  // > 0
  double blur = 0.5;        // centre, in pixels of the crop, > 0
  double log_blur = 0.5;    // > 0
  double log_gamma = 0.15;  // > 0
  double freedom = 20.0;    // of the Student distribution, > 0
  double most_crops = 10;   // however many crops there are, they count for fewer than these, > 0
  // What the crops must say in favour of the camera found, against the gallery's operator, in nats.
  double doubt = 12.0;
  Index most_photos = 900;  // of the sharp faces, spread evenly, >= 2
  Index most_pixels = 320;  // larger crops are brought down for the fit, >= 4
  Index steps = 20;         // of Fisher scoring at most, >= 1

  void check() const;
};

// So many of the columns, spread evenly, or all.
Matrix spread_columns(const MatrixRef& columns, Index most);

// The sharp faces with which to fit: people and lights as they are to be expected. The gallery's
// photos under many lights (N_H x m, any number), the built-in variation, and photos of training
// people (N_H x n, may be none).
Matrix camera_reference(const MatrixRef& trained_high, const MatrixRef& relit_gallery,
                        const FaceGeometry& geometry);

// `crops` are pixels of `geometry.low` x n, n >= 1; `photos_high` pixels of `geometry.high` x m, m
// >= 2, sharp faces under all lights that are to be expected. The geometry says with which operator
// the gallery is brought down where crops say too little.
Camera fit_camera(const MatrixRef& crops, const MatrixRef& photos_high,
                  const FaceGeometry& geometry, const CameraFitOptions& options = {});

}  // namespace longshot
