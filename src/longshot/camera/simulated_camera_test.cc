// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/simulated_camera.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

constexpr Size kHigh = {24, 20};
constexpr Size kLow = {12, 10};

Matrix some_faces() {
  return Matrix::NullaryExpr(kHigh.pixels(), 3, [](Index i, Index j) {
    return 0.3 + 0.2 * std::sin(0.05 * static_cast<double>(i * (j + 1)));
  });
}

TEST(SimulatedCamera, TheSameNumberIsTheSameCamera) {
  const SimulatedCamera a = random_camera(1, 3);
  const SimulatedCamera b = random_camera(1, 3);
  const SimulatedCamera other = random_camera(1, 4);
  EXPECT_EQ(a.registration, b.registration);
  EXPECT_EQ(a.blur, b.blur);
  EXPECT_NE(a.blur, other.blur);
  EXPECT_EQ(take_crops(a, some_faces(), kHigh, kLow, 5),
            take_crops(b, some_faces(), kHigh, kLow, 5));
}

TEST(SimulatedCamera, StaysWithinItsRange) {
  const CameraRange range;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const SimulatedCamera camera = random_camera(1, i);
    EXPECT_LE(std::abs(camera.registration.dx), range.shift);
    EXPECT_LE(std::abs(camera.registration.log_y), range.scale);
    EXPECT_GE(camera.blur, range.blur[0]);
    EXPECT_LE(camera.blur, range.blur[1]);
    EXPECT_GE(camera.jpeg_quality, range.jpeg_quality[0]);
    EXPECT_LE(camera.jpeg_quality, range.jpeg_quality[1]);
  }
}

TEST(SimulatedCamera, WithoutFaultsItIsTheOperator) {
  SimulatedCamera camera;
  camera.blur = 0.5;
  const Matrix expected =
      Degrader(parse_operator("gauss:0.5"), kHigh, kLow).apply_columns(some_faces());
  camera.exposure = expected.mean();
  const Matrix crops = take_crops(camera, some_faces(), kHigh, kLow, 1);
  EXPECT_LT((crops - expected).cwiseAbs().maxCoeff(), 0.5 / 255.0 + 1e-9);
}

TEST(SimulatedCamera, ToneNoiseAndCompressionAreSeen) {
  SimulatedCamera camera;
  camera.exposure = 0.3;
  const Matrix plain = take_crops(camera, some_faces(), kHigh, kLow, 1);
  EXPECT_NEAR(plain.mean(), 0.3, 0.003);
  camera.offset = 0.2;
  EXPECT_NEAR(take_crops(camera, some_faces(), kHigh, kLow, 1).mean(), 0.5, 0.003);
  camera.offset = 0.0;
  camera.noise = 0.05;
  const Matrix noise = take_crops(camera, some_faces(), kHigh, kLow, 1) - plain;
  EXPECT_NEAR(std::sqrt(noise.cwiseAbs2().mean()), 0.05, 0.01);
  camera.noise = 0.0;
  camera.jpeg_quality = 50;
  EXPECT_GT((take_crops(camera, some_faces(), kHigh, kLow, 1) - plain).cwiseAbs().maxCoeff(), 0.01);
  camera.jpeg_quality = 0;
  camera.gamma = 2.0;
  EXPECT_GT((take_crops(camera, some_faces(), kHigh, kLow, 1) - plain).cwiseAbs().maxCoeff(), 0.02);
}

TEST(SimulatedCamera, RefusesWhatCannotBe) {
  SimulatedCamera camera;
  camera.noise = -1.0;
  EXPECT_THROW(take_crops(camera, some_faces(), kHigh, kLow, 1), Error);
}

TEST(SimulatedCamera, AGentlerRangeKeepsFramingAndTone) {
  const CameraRange gentle = gentler_range(0.5);
  const CameraRange full;
  EXPECT_EQ(gentle.shift, full.shift);
  EXPECT_EQ(gentle.gamma[1], full.gamma[1]);
  EXPECT_DOUBLE_EQ(gentle.blur[1], 0.6);
  EXPECT_DOUBLE_EQ(gentle.noise[1], 0.015);
  EXPECT_EQ(gentle.jpeg_quality[0], 80);
  EXPECT_EQ(random_camera(1, 3, gentler_range(1.0)).noise, random_camera(1, 3).noise);
  EXPECT_THROW(gentler_range(1.5), Error);
}

}  // namespace
}  // namespace longshot
