// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/core/matrix.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

// Light sources of a photo under Lambert's law (Shekhar et al., eq. (1)):
//   I = rho max(n.s, 0).
// Only the product of light strength and albedo scale can be known: strengths are on the scale that
// the mean albedo map sets.

struct LightOptions {
  int rounds = 3;              // re-solves on the lit pixels alone, >= 0; the max() of the law
  double lit_cosine = 0.1;     // a pixel is lit where n.s > this |s|, 0 .. 1
  double least_lit = 0.3;      // fraction of the mask that must stay lit, 0 .. 1
  double saturated = 0.98;     // intensities above say nothing; > 0, infinity keeps all
  bool ambient = false;        // also estimate a constant term, clamped to >= 0
  double max_condition = 1e8;  // of the normal equations, > 1; beyond: frontal light

  void check() const;
};

enum class LightReason {
  kEstimated,       // the last round's answer
  kShadowed,        // stopped early: too little of the face was lit for another round
  kBehind,          // the answer was a light behind the face; frontal light instead
  kIllConditioned,  // too few pixels, or normals that do not tell directions apart; frontal instead
  kDark,            // the face is black: no light at all
};
std::string_view to_string(LightReason reason);

struct LightEstimate {
  Eigen::Vector3d source = Eigen::Vector3d::Zero();  // strength x unit vector towards the light
  double ambient = 0.0;
  // Strength x direction of each source where several were sought; their sum is `source`.
  Matrix sources;          // 3 x k, or 0 columns for a single source
  Index pixels_used = 0;   // in the last solve
  double condition = 0.0;  // of its normal equations; 0 if there was none
  LightReason reason = LightReason::kDark;

  // Of all sources together, without the ambient part.
  double strength() const {
    return sources.cols() == 0 ? source.norm() : sources.colwise().norm().sum();
  }
  bool is_fallback() const {
    return reason != LightReason::kEstimated && reason != LightReason::kShadowed;
  }
};

// The paper's estimate, s = (sum n n')^-1 sum I n, over all pixels of the mask: exact for constant
// albedo and no shadow. Falls back to frontal light like estimate_light.
LightEstimate estimate_light_paper(const Image& image, const NormalMap& map);

// argmin sum (I - rbar n.s)^2 over the lit, unsaturated pixels of the mask: brows, eyes and lips no
// longer read as shading. `mean_albedo` has one value per pixel (docs/method.md, "Light"). Where
// there is no answer, the light is frontal with the strength that fits best.
LightEstimate estimate_light(const Image& image, const NormalMap& map, const VectorRef& mean_albedo,
                             const LightOptions& options = {});

// Any number of distant lights: a non-negative mixture of the lights `directions` (3 x k unit
// vectors, such as hemisphere_directions()) and a constant, by NNLS on the unsaturated pixels.
LightEstimate estimate_several_lights(const Image& image, const NormalMap& map,
                                      const VectorRef& mean_albedo, const MatrixRef& directions,
                                      const LightOptions& options = {});

// The light that falls on a surface element with that normal: sum_k max(n.s_k, 0) + ambient.
double shading_at(const Eigen::Vector3d& normal, const LightEstimate& light);

// Throws Error unless the image is finite and as large as the map.
void check_fits(const Image& image, const NormalMap& map);

}  // namespace longshot
