// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/relight/lighting.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

// The albedo of a photo as the minimum mean square error estimate E(rho | rho0), after Biswas,
// Aggarwal and Chellappa (ICCV 2007): rho0 = I / shading is the albedo seen through noise that
// grows as the surface turns away from the light, so that shadows are filled from what is known of
// faces instead of exploding. Equations: docs/method.md, "Albedo".

// What is known of faces before the photo is seen.
struct AlbedoPrior {
  Size size;
  Vector mean;      // pixels, > 0
  Vector variance;  // pixels, >= 0

  // Throws Error unless sizes agree and the values are in range.
  void check() const;
};

enum class AlbedoNoise {
  kNormals,  // from the errors of normals and light: (var + mean^2) v / shading^2
  kCosine,   // (tau / max(shading, floor))^2 mean^2
};

struct AlbedoOptions {
  AlbedoNoise noise = AlbedoNoise::kNormals;
  double tau = 0.05;            // of kCosine: relative error in full light, > 0
  double cosine_floor = 0.08;   // of kCosine, > 0
  double normal_sigma = 0.07;   // of kNormals where the map has no covariance: radians, >= 0
  double light_sigma = 0.03;    // of kNormals: error of a component of the unit light, > 0
  double shadow_cosine = 0.05;  // shading of unit light below which a pixel tells nothing, > 0
  double saturated = 0.98;      // intensities above are suspect, > 0
  // Where rho0 is at most suspect_below of the mean albedo there may be a cast shadow, where it is
  // at least twice suspect_above a highlight; doubt grows from twice the one, and from the other.
  double suspect_below = 0.1;    // > 0
  double suspect_above = 1.2;    // > suspect_below
  double suspect_noise = 30.0;   // factor on the noise variance of suspect pixels, >= 1
  bool symmetry = true;          // the mirrored pixel is a second observation
  double asymmetry = 0.3;        // its extra variance, in units of the prior's variance, >= 0
  double asymmetry_mean = 0.05;  // and its extra deviation, in units of the mean, >= 0
  // The light was found with constant albedo: bring prior and photo to one scale by the median of
  // rho0 / mean over the lit pixels.
  bool match_scale = false;
  Index window = 2;  // without a prior: neighbours on each side, 1 .. 50

  void check() const;
};

// photo = gain albedo shading, where shading is that of the estimated light at unit strength.
struct AlbedoEstimate {
  Vector albedo;    // pixels, on the prior's scale; off the mask photo / gain
  Vector reliance;  // pixels: weight of the photo against the prior, 0 .. 1
  double gain = 1.0;
};

// rho0 = I / max(shading, eps |s|): the paper's initial albedo, on the scale of the light.
Vector initial_albedo(const Image& image, const NormalMap& map, const LightEstimate& light,
                      double eps = 0.05);

// With the statistics of other faces.
AlbedoEstimate estimate_albedo(const Image& image, const NormalMap& map, const AlbedoPrior& prior,
                               const LightEstimate& light, const AlbedoOptions& options = {});

// With mean and variance of each pixel's neighbourhood (Kuan et al. 1985). Smooths where the light
// is poor; for want of a prior only.
AlbedoEstimate estimate_albedo_locally(const Image& image, const NormalMap& map,
                                       const LightEstimate& light,
                                       const AlbedoOptions& options = {});

}  // namespace longshot
