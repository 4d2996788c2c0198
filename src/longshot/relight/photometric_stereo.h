// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// Normals and albedo from pictures of one face under known distant lights (Woodham, 1980), robust
// against what is not Lambertian: shadows, highlights and saturated pixels are left out, and what
// remains is weighted after Huber.
struct PhotometricStereoOptions {
  double shadow_level = 0.03;      // 0 to 1: darker is shadow
  double shadow_fraction = 0.15;   // 0 to 1: and so is darker than this share of the pixel's
                                   // brightest tenth
  double saturation_level = 0.98;  // 0 to 2: brighter is saturated
  double shadow_share = 0.2;       // 0 to 0.9: of a pixel's values, the darkest that are left out
  double highlight_share = 0.05;   // 0 to 0.5: and the brightest
  Index iterations = 5;            // 0 to 100: of reweighting
  Index least_lights = 6;          // at least 3: a pixel with fewer usable values is invalid
  double most_condition = 50.0;    // above 1: of the usable lights; beyond it a pixel is invalid
  double least_z = 0.15;           // 0 to 1: normals are bent towards the camera up to this z

  void check() const;  // throws Error
};

struct SurfaceEstimate {
  Matrix normals;  // 3 x pixels, unit length, z >= least_z; (0, 0, 1) where invalid
  Vector albedo;   // pixels, 0 where invalid
  Vector valid;    // pixels: 1 or 0
};

// images: lights x pixels, one picture per row; lights: 3 x lights, directions (or, with unequal
// strengths, directions times strength). Throws Error if sizes disagree or anything is not finite.
SurfaceEstimate photometric_stereo(const MatrixRef& images, const MatrixRef& lights,
                                   const PhotometricStereoOptions& options = {});

}  // namespace longshot
