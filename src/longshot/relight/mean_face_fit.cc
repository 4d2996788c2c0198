// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mean_face_fit.h"

#include <cmath>
#include <string_view>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// The part of the face plane that a shape covers: x within 1.6, y from -2.2 to 1.4 eye distances.
constexpr double kWidth = 3.2;
constexpr double kHeight = 3.6;
constexpr double kTop = 1.4;
constexpr Size kWideSize{90, 80};
constexpr double kWidePixelArea = kWidth * kHeight / (90.0 * 80.0);

FaceFrame wide_frame() {
  FaceFrame frame;
  frame.eyes = {{0.5 - 0.5 / kWidth, kTop / kHeight}, {0.5 + 0.5 / kWidth, kTop / kHeight}};
  frame.aspect = kHeight / kWidth;
  return frame;
}

// Ears stand off the head and the neck lies behind the chin: a height field has neither.
bool on_the_head(const Eigen::Vector2d& at) {
  const double x = std::abs(at.x());
  const bool ear = x > 1.1 && at.y() > -1.1 && at.y() < 0.15;
  const double ex = x / 1.25;
  const double ey = (at.y() + 0.3) / 1.6;
  const bool neck = at.y() < -1.2 && ex * ex + ey * ey > 1.0;
  return !ear && !neck;
}

bool inside_crop(const Point& fraction) {
  return fraction.x > 0.0 && fraction.x < 1.0 && fraction.y > 0.0 && fraction.y < 1.0;
}

double pixel_area(const NormalMap& map) {
  const FacePlane plane(map.frame);
  const Eigen::Vector2d across = plane.on_face({1.0, 0.0}) - plane.on_face({0.0, 0.0});
  const Eigen::Vector2d down = plane.on_face({0.0, 1.0}) - plane.on_face({0.0, 0.0});
  return std::abs(across.x() * down.y() - across.y() * down.x()) /
         static_cast<double>(map.size.pixels());
}

// Weights of the mesh's pixels, and of those beyond it.
struct MeshWeights {
  Vector mesh;    // pixels
  Vector beyond;  // pixels
};

MeshWeights weights_of(const NormalMap& mesh, const NormalMap* measured,
                       const MeanFaceFitOptions& options) {
  const FacePlane wide(mesh.frame);
  const Index pixels = mesh.size.pixels();
  MeshWeights weights{Vector::Zero(pixels), Vector::Zero(pixels)};
  for (Index p = 0; p < pixels; ++p) {
    const double col = static_cast<double>(p / mesh.size.rows) + 0.5;
    const double row = static_cast<double>(p % mesh.size.rows) + 0.5;
    const Eigen::Vector2d at = wide.on_face(
        {col / static_cast<double>(mesh.size.cols), row / static_cast<double>(mesh.size.rows)});
    if (!on_the_head(at) || mesh.mask[p] == 0.0) {
      weights.beyond[p] = kWidePixelArea * options.beyond;
      continue;
    }
    const bool known = measured != nullptr && inside_face_outline(at) &&
                       inside_crop(FacePlane(measured->frame).in_crop(at));
    const double weight = known ? options.mesh_within : options.mesh_around;
    weights.mesh[p] = kWidePixelArea * (measured == nullptr ? 1.0 : weight);
  }
  return weights;
}

ShapeFit fit(const NormalMap* measured, const Mesh& mesh, const MeanFaceFitOptions& options) {
  options.check();
  std::vector<WeightedNormals> all;
  if (measured != nullptr) {
    all.push_back({*measured, Vector::Constant(measured->size.pixels(), pixel_area(*measured))});
  }
  NormalMap wide = normals_of_mesh(mesh, wide_frame(), kWideSize, options.view);
  MeshWeights weights = weights_of(wide, measured, options);
  all.push_back({std::move(wide), std::move(weights.mesh)});

  // A few broad Gaussians continue the head to where nothing is known.
  ShapeFitOptions coarse;
  coarse.grids = {{0.70, 0.60, 1.60, -2.20, 1.40}};
  coarse.ridge = 1e-4;
  NormalMap head = normals_of_shape(fit_shape(all, coarse).shape, wide_frame(), kWideSize);
  head.mask.setOnes();
  all.push_back({std::move(head), std::move(weights.beyond)});
  return fit_shape(all, options.shape);
}

}  // namespace

void MeanFaceFitOptions::check() const {
  view.check();
  shape.check();
  const auto weight = [](double value, std::string_view field) {
    if (!(value >= 0.0 && std::isfinite(value))) {
      throw Error("{} must be 0 or more, not {}.", field, value);
    }
  };
  weight(mesh_around, "mesh_around");
  weight(mesh_within, "mesh_within");
  weight(beyond, "beyond");
}

ShapeFit fit_mean_face(const NormalMap& measured, const Mesh& mesh,
                       const MeanFaceFitOptions& options) {
  return fit(&measured, mesh, options);
}

ShapeFit fit_mean_face(const Mesh& mesh, const MeanFaceFitOptions& options) {
  return fit(nullptr, mesh, options);
}

}  // namespace longshot
