// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/relight/albedo.h"
#include "longshot/relight/cast_shadow.h"
#include "longshot/relight/face_shape.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/lighting.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

// One photo under many lights (Shekhar et al., section "Image Relighting"):
//   X_k = rho max(n.s_k, 0).

enum class LightMethod {
  kPaper,    // estimate_light_paper
  kSingle,   // estimate_light with the prior's mean
  kSeveral,  // estimate_several_lights over the hemisphere
};

enum class Mirroring {
  kNone,
  kFlip,         // every relit image also flipped: mirrors the albedo too
  kMirrorLight,  // every light also from the mirrored side, where the set does not have it already
  kBoth,         // the mirrored lights, and then all of them flipped
};

enum class OffFace {
  kBlack,  // 0
  kPhoto,  // the photo, as bright as that light makes the face on average
  kShape,  // relit like the face, on the smooth continuation of its shape
};

struct RelightOptions {
  std::vector<LightDirection> lights = ten_lights();  // at least one
  Mirroring mirroring = Mirroring::kFlip;
  bool keep_original = false;  // also the photo itself, and its flip where there are flips
  double ambient = 0.0;        // light from everywhere, in units of the light's strength, 0 .. 10
  OffFace off_face = OffFace::kShape;
  bool cast_shadows = false;  // of the model's shape, where it has one
  ShadowOptions shadow;
  LightMethod light_method = LightMethod::kSingle;
  LightOptions light;
  AlbedoOptions albedo;

  void check() const;
};

// The paper's set: ten lights and their flips, 20 images, without the photo itself.
RelightOptions paper_profile();
// The most accurate that we know: ten lights, the photo, and all flips, 22 images.
RelightOptions best_profile();

struct RelightModel {
  NormalMap normals;
  std::optional<AlbedoPrior> prior;  // without: statistics of the photo itself
  std::optional<FaceShape> shape;    // for cast shadows
};

struct RelitLabel {
  LightDirection light;  // before flipping; of the original: the estimated light is in RelitSet
  bool flipped = false;
  bool original = false;
  bool operator==(const RelitLabel&) const = default;
};

struct RelitSet {
  // pixels x m, one image per column, on the photo's scale of intensities, neither clipped nor
  // rounded. All finite; all zero only off the face or in shadow.
  Matrix images;
  LightEstimate light;
  AlbedoEstimate albedo;
};

// Prepared once for all photos of one size; relight() may be called from any thread.
class Relighter {
 public:
  // Throws Error for a model or options that are not valid or do not fit each other.
  Relighter(RelightModel model, RelightOptions options);

  RelitSet relight(const Image& image) const;
  // Photos in parallel, in their order.
  std::vector<RelitSet> relight_all(const std::vector<Image>& images) const;

  LightEstimate estimate_light(const Image& image) const;
  AlbedoEstimate estimate_albedo(const Image& image, const LightEstimate& light) const;

  const std::vector<RelitLabel>& labels() const { return labels_; }  // one per column of images
  const RelightModel& model() const { return model_; }
  const RelightOptions& options() const { return options_; }

 private:
  RelightModel model_;
  RelightOptions options_;
  NormalMap relit_map_;  // the model's normals, with the mask of what is relit
  std::vector<RelitLabel> labels_;
  Vector mean_albedo_;  // pixels
  Matrix candidates_;   // 3 x k, of several lights
  Matrix shading_;      // pixels x distinct lights
};

// For one photo. For many of one size, prepare a Relighter.
RelitSet relight(const Image& image, const RelightModel& model, const RelightOptions& options = {});

}  // namespace longshot
