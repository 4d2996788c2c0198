// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/relight.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

std::vector<LightDirection> with_mirrored(const std::vector<LightDirection>& lights) {
  std::vector<LightDirection> all = lights;
  for (const LightDirection& light : lights) {
    const LightDirection other = mirrored(light);
    if (std::find(all.begin(), all.end(), other) == all.end()) all.push_back(other);
  }
  return all;
}

bool has_flips(Mirroring mirroring) {
  return mirroring == Mirroring::kFlip || mirroring == Mirroring::kBoth;
}

// max(n.s, 0) past cast shadows, plus ambient light; pixels x lights.
Matrix shading_of(const RelightModel& model, const NormalMap& map, const RelightOptions& options,
                  const std::vector<LightDirection>& lights) {
  const auto count = static_cast<Index>(lights.size());
  Matrix directions(3, count);
  for (Index k = 0; k < count; ++k) {
    directions.col(k) = unit_vector(lights[static_cast<std::size_t>(k)]);
  }
  Matrix shading = (map.normals.transpose() * directions).cwiseMax(0.0);
  if (options.cast_shadows && model.shape) {
    shading.array() *= cast_shadows(*model.shape, map, directions, options.shadow).array();
  }
  shading.array() += options.ambient;
  const double on_face = map.mask.sum();
  for (Index k = 0; k < count; ++k) {
    const double mean = on_face > 0.0 ? map.mask.dot(shading.col(k)) / on_face : 1.0;
    const double outside = options.off_face == OffFace::kPhoto ? mean : 0.0;
    shading.col(k) = (map.mask.array() != 0.0).select(shading.col(k).array(), outside);
  }
  return shading;
}

}  // namespace

void RelightOptions::check() const {
  if (lights.empty()) throw Error("Relighting needs at least one light.");
  for (const LightDirection& at : lights) {
    if (!(std::abs(at.azimuth) <= 90.0 && std::abs(at.elevation) <= 90.0)) {
      throw Error("lights holds {}:{}, must be azimuth and elevation of -90 to 90 degrees.",
                  at.azimuth, at.elevation);
    }
  }
  if (!(ambient >= 0.0 && ambient <= 10.0)) {
    throw Error("ambient of relighting is {}, must be 0 to 10.", ambient);
  }
  shadow.check();
  light.check();
  albedo.check();
}

RelightOptions paper_profile() {
  RelightOptions options;
  options.light_method = LightMethod::kPaper;
  options.albedo.match_scale = true;
  return options;
}

RelightOptions best_profile() {
  RelightOptions options;
  options.lights = ten_lights();
  options.keep_original = true;
  return options;
}

Relighter::Relighter(RelightModel model, RelightOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
  options_.check();
  model_.normals.check();
  if (model_.prior) {
    model_.prior->check();
    if (model_.prior->size != model_.normals.size) {
      throw Error("The albedo prior has {} pixels, the normal map {}.",
                  to_string(model_.prior->size), to_string(model_.normals.size));
    }
  }
  relit_map_ = model_.normals;
  if (options_.off_face == OffFace::kShape) relit_map_.mask.setOnes();
  const bool mirror_lights =
      options_.mirroring == Mirroring::kMirrorLight || options_.mirroring == Mirroring::kBoth;
  const std::vector<LightDirection> lights =
      mirror_lights ? with_mirrored(options_.lights) : options_.lights;
  for (const bool flipped : {false, true}) {
    if (flipped && !has_flips(options_.mirroring)) break;
    for (const LightDirection& light : lights) labels_.push_back({light, flipped, false});
  }
  if (options_.keep_original) {
    labels_.push_back({{}, false, true});
    if (has_flips(options_.mirroring)) labels_.push_back({{}, true, true});
  }
  mean_albedo_ = model_.prior ? model_.prior->mean : Vector::Ones(model_.normals.size.pixels());
  candidates_ = hemisphere_directions();
  shading_ = shading_of(model_, relit_map_, options_, lights);
}

LightEstimate Relighter::estimate_light(const Image& image) const {
  switch (options_.light_method) {
    case LightMethod::kPaper:
      return estimate_light_paper(image, model_.normals);
    case LightMethod::kSingle:
      return longshot::estimate_light(image, model_.normals, mean_albedo_, options_.light);
    case LightMethod::kSeveral:
      break;
  }
  return estimate_several_lights(image, model_.normals, mean_albedo_, candidates_, options_.light);
}

AlbedoEstimate Relighter::estimate_albedo(const Image& image, const LightEstimate& light) const {
  return model_.prior
             ? longshot::estimate_albedo(image, relit_map_, *model_.prior, light, options_.albedo)
             : estimate_albedo_locally(image, relit_map_, light, options_.albedo);
}

RelitSet Relighter::relight(const Image& image) const {
  RelitSet set;
  set.light = estimate_light(image);
  set.albedo = estimate_albedo(image, set.light);
  const Index rows = image.rows();
  const Index cols = image.cols();
  set.images.resize(image.size(), static_cast<Index>(labels_.size()));
  const Index lit = shading_.cols();
  for (Index k = 0; k < lit; ++k) {
    set.images.col(k).array() =
        set.albedo.gain * set.albedo.albedo.array() * shading_.col(k).array();
  }
  // What follows are flips of the lit images, the photo and its flip, as labelled.
  Index flips_of = 0;
  for (Index k = lit; k < set.images.cols(); ++k) {
    const RelitLabel& label = labels_[static_cast<std::size_t>(k)];
    const double* from = label.original ? image.data() : set.images.col(flips_of++).data();
    const Eigen::Map<const Matrix> source(from, rows, cols);
    Eigen::Map<Matrix> target(set.images.col(k).data(), rows, cols);
    if (label.flipped) {
      for (Index col = 0; col < cols; ++col) target.col(col) = source.col(cols - 1 - col);
    } else {
      target = source;
    }
  }
  return set;
}

std::vector<RelitSet> Relighter::relight_all(const std::vector<Image>& images) const {
  std::vector<RelitSet> sets(images.size());
  parallel_for(static_cast<Index>(images.size()), [&](Index i) {
    sets[static_cast<std::size_t>(i)] = relight(images[static_cast<std::size_t>(i)]);
  });
  return sets;
}

RelitSet relight(const Image& image, const RelightModel& model, const RelightOptions& options) {
  return Relighter(model, options).relight(image);
}

}  // namespace longshot
