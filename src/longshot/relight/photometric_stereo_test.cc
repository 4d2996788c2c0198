// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/photometric_stereo.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

// Lights on a grid over the front, like those of Extended Yale B.
Matrix front_lights() {
  Matrix lights(3, 45);
  Index at = 0;
  for (const double azimuth : {-80., -60., -40., -20., 0., 20., 40., 60., 80.}) {
    for (const double elevation : {-40., -20., 0., 20., 45.}) {
      const double a = azimuth * std::numbers::pi / 180.0;
      const double e = elevation * std::numbers::pi / 180.0;
      lights.col(at++) << std::cos(e) * std::sin(a), std::sin(e), std::cos(e) * std::cos(a);
    }
  }
  return lights;
}

// Visible normals of a ball, up to 60 degrees from the camera, with varying albedo.
struct Scene {
  Matrix normals;  // 3 x pixels
  Vector albedo;   // pixels
  Matrix lights;   // 3 x lights
  Matrix images;   // lights x pixels
};

Scene lambertian_scene() {
  Random random(7);
  Scene scene{Matrix(3, 200), Vector(200), front_lights(), Matrix()};
  for (Index p = 0; p < 200; ++p) {
    const double around = random.uniform(0.0, 2.0 * std::numbers::pi);
    const double off = random.uniform(0.0, 60.0) * std::numbers::pi / 180.0;
    scene.normals.col(p) << std::sin(off) * std::cos(around), std::sin(off) * std::sin(around),
        std::cos(off);
    scene.albedo[p] = random.uniform(0.3, 0.9);
  }
  scene.images =
      (scene.lights.transpose() * scene.normals).cwiseMax(0.0) * scene.albedo.asDiagonal();
  return scene;
}

double mean_angle(const Matrix& a, const Matrix& b) {
  return a.cwiseProduct(b).colwise().sum().cwiseMin(1.0).array().acos().mean() * 180.0 /
         std::numbers::pi;
}

TEST(PhotometricStereo, ExactWithoutNoise) {
  const Scene scene = lambertian_scene();
  const SurfaceEstimate estimate = photometric_stereo(scene.images, scene.lights);
  EXPECT_EQ(estimate.valid.sum(), 200.0);
  EXPECT_LT((estimate.normals - scene.normals).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((estimate.albedo - scene.albedo).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PhotometricStereo, RobustAgainstShadowsAndHighlights) {
  Scene scene = lambertian_scene();
  Random random(11);
  for (Index p = 0; p < 200; ++p) {
    for (Index l = 0; l < scene.images.rows(); ++l) {
      const double chance = random.uniform();
      if (chance < 0.15) scene.images(l, p) *= 0.1;  // cast shadow
      if (chance > 0.96) scene.images(l, p) += 0.5;  // highlight
      scene.images(l, p) = std::min(1.0, scene.images(l, p) + 0.003 * random.normal());
    }
  }
  const SurfaceEstimate robust = photometric_stereo(scene.images, scene.lights);
  PhotometricStereoOptions plain;
  plain.shadow_level = plain.shadow_fraction = plain.shadow_share = plain.highlight_share = 0.0;
  plain.saturation_level = 2.0;
  plain.iterations = 0;
  const SurfaceEstimate naive = photometric_stereo(scene.images, scene.lights, plain);
  EXPECT_GT(robust.valid.mean(), 0.99);
  EXPECT_LT(mean_angle(robust.normals, scene.normals), 1.0);
  EXPECT_GT(mean_angle(naive.normals, scene.normals), 4.0);
}

TEST(PhotometricStereo, StrengthOfLightsMayDiffer) {
  Scene scene = lambertian_scene();
  for (Index l = 0; l < scene.lights.cols(); ++l) {
    const double strength = l % 2 == 0 ? 0.7 : 1.0;
    scene.lights.col(l) *= strength;
    scene.images.row(l) *= strength;
  }
  const SurfaceEstimate estimate = photometric_stereo(scene.images, scene.lights);
  EXPECT_LT((estimate.normals - scene.normals).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(PhotometricStereo, WhatCannotBeKnownIsInvalid) {
  const Scene scene = lambertian_scene();
  Matrix images = scene.images;
  images.col(0).setZero();
  const SurfaceEstimate dark = photometric_stereo(images, scene.lights);
  EXPECT_EQ(dark.valid[0], 0.0);
  EXPECT_EQ(dark.albedo[0], 0.0);
  EXPECT_EQ(dark.normals(2, 0), 1.0);
  EXPECT_EQ(dark.valid[1], 1.0);

  // Lights in one plane leave one direction open.
  const Matrix flat = scene.lights.array().colwise() * Eigen::Array3d(1.0, 0.0, 1.0);
  EXPECT_EQ(photometric_stereo(scene.images, flat).valid.sum(), 0.0);
}

TEST(PhotometricStereo, SameBitsForAnyThreadCount) {
  const Scene scene = lambertian_scene();
  const Matrix images = scene.images.replicate(1, 5);
  set_thread_count(1);
  const SurfaceEstimate one = photometric_stereo(images, scene.lights);
  set_thread_count(0);
  EXPECT_EQ(photometric_stereo(images, scene.lights).normals, one.normals);
}

TEST(PhotometricStereo, BadInputIsRefused) {
  const Scene scene = lambertian_scene();
  EXPECT_THROW(photometric_stereo(scene.images, scene.lights.leftCols(5)), Error);
  EXPECT_THROW(photometric_stereo(Matrix(0, 0), Matrix(3, 0)), Error);
  Matrix broken = scene.images;
  broken(3, 3) = std::nan("");
  EXPECT_THROW(photometric_stereo(broken, scene.lights), Error);
  PhotometricStereoOptions options;
  options.least_lights = 2;
  EXPECT_THROW(options.check(), Error);
  options = {};
  options.highlight_share = 0.7;
  EXPECT_THROW(options.check(), Error);
}

}  // namespace
}  // namespace longshot
