// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_light.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "longshot/core/error.h"
#include "longshot/relight/light_sets.h"

namespace longshot {
namespace {

// Depth below the shadow's upper edge, in eye distances, at which a lamp is hidden completely.
constexpr float kPenumbra = 0.03F;
// ... and how much more of it for each eye distance from what casts the shadow.
constexpr float kSpread = 0.25F;

// Sweeps away from the light over columns; `toward` is the step of the column index to the light,
// `shift` that of the row index, at most 1 in size, `rise` how much the ray gains in a step and
// `spread` how much the penumbra does.
Plane sweep_columns(const Plane& height, Index toward, float shift, float rise, float spread) {
  const Index rows = height.rows();
  const Index cols = height.cols();
  Plane seen(rows, cols);
  // The upper edge of the shadow volume or the surface, with a border cell at each end.
  Eigen::ArrayXf edge(rows + 2);
  Eigen::ArrayXf shadow(rows);
  // How far away the caster is, in steps.
  Eigen::ArrayXf away = Eigen::ArrayXf::Zero(rows);
  const Index side = shift < 0.0F ? 0 : 2;
  const float weight = std::abs(shift);
  for (Index step = 0; step < cols; ++step) {
    const Index c = toward > 0 ? cols - 1 - step : step;
    if (step == 0) {
      seen.col(c).setOnes();
      edge.segment(1, rows) = height.col(c);
    } else {
      shadow = (1.0F - weight) * edge.segment(1, rows) + weight * edge.segment(side, rows) - rise;
      away += 1.0F;
      seen.col(c) =
          (1.0F + (height.col(c) - shadow) / (kPenumbra + spread * away)).max(0.0F).min(1.0F);
      away = (shadow > height.col(c)).select(away, 0.0F);
      edge.segment(1, rows) = height.col(c).max(shadow);
    }
    edge(0) = edge(1);
    edge(rows + 1) = edge(rows);
  }
  return seen;
}

}  // namespace

void SyntheticLighting::check() const {
  if (!(ambient >= 0.0 && ambient <= 10.0)) {
    throw Error("Ambient light must be 0 to 10, not {}.", ambient);
  }
  double total = ambient;
  for (const SyntheticLight& light : lights) {
    if (!(std::abs(light.azimuth) <= 180.0 && std::abs(light.elevation) <= 90.0)) {
      throw Error(
          "A light's azimuth must be -180 to 180 degrees and its elevation -90 to 90, not {} and "
          "{}.",
          light.azimuth, light.elevation);
    }
    if (!(light.strength >= 0.0 && light.strength <= 10.0)) {
      throw Error("A light's strength must be 0 to 10, not {}.", light.strength);
    }
    total += light.strength;
  }
  if (!(total > 0.0)) throw Error("A photo needs some light: lights and ambient are all 0.");
}

Eigen::Vector3d direction_of(const SyntheticLight& light) {
  const double az = light.azimuth * kRadians;
  const double el = light.elevation * kRadians;
  return {std::cos(el) * std::sin(az), std::sin(el), std::cos(el) * std::cos(az)};
}

SyntheticLighting frontal_lighting() {
  return {{{0.0, 12.0, 0.85}}, 0.25};
}

SyntheticLighting random_lighting(Random& random, double spread) {
  SyntheticLighting lighting;
  // Uniform on the cap of the sphere around the camera's axis.
  const double cosine = 1.0 - (1.0 - std::cos(spread * kRadians)) * random.uniform();
  const double turn = 2.0 * std::numbers::pi * random.uniform();
  const double sine = std::sqrt(1.0 - cosine * cosine);
  double up = sine * std::sin(turn);
  // Lamps hang from ceilings: most of the lower half is mirrored to the upper.
  if (up < 0.0 && random.uniform() < 0.75) up = -up;
  const double right = sine * std::cos(turn);
  const auto add = [&](double x, double y, double z, double strength) {
    lighting.lights.push_back(
        {std::atan2(x, z) / kRadians, std::asin(std::clamp(y, -1.0, 1.0)) / kRadians, strength});
  };
  add(right, up, cosine, random.uniform(0.7, 1.0));
  const Index others = random.below(3);
  for (Index i = 0; i < others; ++i) {
    const double az = random.uniform(-90.0, 90.0) * kRadians;
    const double el = random.uniform(-20.0, 60.0) * kRadians;
    add(std::cos(el) * std::sin(az), std::sin(el), std::cos(el) * std::cos(az),
        random.uniform(0.05, 0.4));
  }
  lighting.ambient = random.uniform(0.06, 0.25);
  return lighting;
}

Plane unshadowed(const Plane& height, double pitch, const Eigen::Vector3d& direction) {
  const double x = direction.x();
  const double down = -direction.y();
  const double longest = std::max(std::abs(x), std::abs(down));
  if (longest < 1e-3) return Plane::Ones(height.rows(), height.cols());
  const auto rise = static_cast<float>(pitch * direction.z() / longest);
  const auto spread = static_cast<float>(kSpread * pitch / longest);
  if (std::abs(x) >= std::abs(down)) {
    return sweep_columns(height, x > 0.0 ? 1 : -1, static_cast<float>(down / longest), rise,
                         spread);
  }
  const Plane turned = height.transpose();
  return sweep_columns(turned, down > 0.0 ? 1 : -1, static_cast<float>(x / longest), rise, spread)
      .transpose();
}

Plane shade(const FaceSurface& surface, double pitch, const SyntheticLighting& lighting,
            const Eigen::Matrix3d& surface_from_camera) {
  const Plane nz = (1.0F + surface.slope_x.square() + surface.slope_y.square()).rsqrt();
  const Eigen::Vector3d view = surface_from_camera.col(2);
  // A little more comes from the ceiling than from the floor.
  Plane diffuse = static_cast<float>(lighting.ambient) * (0.85F - 0.25F * surface.slope_y * nz);
  Plane highlight = Plane::Zero(nz.rows(), nz.cols());
  const auto cosine_to = [&](const Eigen::Vector3f& d) {
    return ((d.z() - d.x() * surface.slope_x - d.y() * surface.slope_y) * nz).max(0.0F);
  };
  auto wall = static_cast<float>(lighting.ambient);
  for (const SyntheticLight& light : lighting.lights) {
    const Eigen::Vector3d direction = surface_from_camera * direction_of(light);
    const Plane seen =
        static_cast<float>(light.strength) * unshadowed(surface.height, pitch, direction);
    wall += static_cast<float>(light.strength * std::max(0.0, direction_of(light).z()));
    diffuse += seen * cosine_to(direction.cast<float>());
    const Eigen::Vector3d half = (direction + view).normalized();
    highlight += seen * cosine_to(half.cast<float>()).square().square().cube().square();
  }
  // The wall behind is turned to the camera and sees every lamp.
  return surface.albedo * diffuse + surface.gloss * highlight + wall * surface.backdrop;
}

}  // namespace longshot
