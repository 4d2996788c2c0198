// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/image/image.h"
#include "longshot/relight/normal_map.h"
#include "longshot/relight/photometric_stereo.h"

namespace longshot {

// One picture of a person under one distant light.
struct LitImage {
  Image image;            // the crop, intensities in [0, 1]
  Eigen::Vector3d light;  // unit vector to the light: x to the image's right, y up, z to the camera
};

// What is known about faces in general from people photographed under known lights. All albedos
// are relative: each person's is scaled to median 1 in the mask before anything else.
struct MeanFaceStatistics {
  NormalMap normals;       // with covariance
  Vector agreement;        // pixels: length of the mean of unit normals; 1 where all people agree
  Vector albedo_mean;      // pixels
  Vector albedo_variance;  // pixels, between people
  Index people = 0;        // that entered
};

struct MeanFaceOptions {
  PhotometricStereoOptions stereo;
  bool symmetric = true;    // every person enters once more, mirrored about the axis of the face
  bool integrable = false;  // normals are replaced by those of the nearest surface
  // Share of the people, above 0 and up to 1, whose normal must be known where the mask is 1.
  double least_known = 0.5;

  void check() const;  // throws Error
};

// Photometric stereo for every person, then means and covariances over the people. `frame` is that
// of all crops. Pixels outside the mask are filled with the built-in mean face and the mean albedo.
// Throws Error if there is no person, a person has fewer than 6 images, or image sizes differ.
MeanFaceStatistics mean_face_of_people(std::span<const std::vector<LitImage>> people,
                                       const FaceFrame& frame, const MeanFaceOptions& options = {},
                                       Progress& progress = no_progress());

}  // namespace longshot
