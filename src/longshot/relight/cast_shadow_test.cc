// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/cast_shadow.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

// A narrow post of height 1 on a plane, between the eyes.
const FaceShape& post() {
  static const FaceShape shape({{1.0, 0.0, 0.0, 0.1}});
  return shape;
}

Index pixel_at(const NormalMap& map, double x_fraction, double y_fraction) {
  const auto col = static_cast<Index>(x_fraction * static_cast<double>(map.size.cols));
  const auto row = static_cast<Index>(y_fraction * static_cast<double>(map.size.rows));
  return col * map.size.rows + row;
}

TEST(CastShadows, FrontalLightCastsNone) {
  const NormalMap map = test_face_map();
  const Matrix visible = cast_shadows(mean_face_shape(), map, unit_vector({0, 0}));
  EXPECT_EQ(visible, Matrix::Ones(1920, 1));
}

TEST(CastShadows, LieOnTheFarSideOfWhatCastsThem) {
  const NormalMap map = normals_of_shape(post(), FaceFrame{}, {48, 40});
  const double eyes = 16.5 / 48.0;
  const Matrix visible = cast_shadows(post(), map, unit_vector({60, 0}));
  // The post stands at 0.5 of the width; 0.35 is 0.3 eye distances to the left of it, and the
  // shadow of a post of height 1 at 60 degrees is longer than that.
  EXPECT_EQ(visible(pixel_at(map, 0.36, eyes), 0), 0.0);
  EXPECT_EQ(visible(pixel_at(map, 0.64, eyes), 0), 1.0);
  EXPECT_EQ(visible(pixel_at(map, 0.36, 0.8), 0), 1.0);
  // From above, the shadow lies below.
  const Matrix above = cast_shadows(post(), map, unit_vector({0, 60}));
  EXPECT_EQ(above(pixel_at(map, 0.49, eyes + 0.15), 0), 0.0);
  EXPECT_EQ(above(pixel_at(map, 0.49, eyes - 0.15), 0), 1.0);
}

TEST(CastShadows, GrowAsTheLightSinks) {
  const NormalMap map = test_face_map();
  Matrix lights(3, 3);
  lights << unit_vector({30, 0}), unit_vector({55, 0}), unit_vector({80, 0});
  const Matrix visible = cast_shadows(mean_face_shape(), map, lights);
  EXPECT_GE(visible.minCoeff(), 0.0);
  EXPECT_LE(visible.maxCoeff(), 1.0);
  EXPECT_GE(visible.col(0).sum(), visible.col(1).sum());
  EXPECT_GT(visible.col(1).sum(), visible.col(2).sum());
}

TEST(CastShadows, OfASymmetricFaceAreMirrored) {
  const NormalMap map = test_face_map();
  const Vector right = cast_shadows(mean_face_shape(), map, unit_vector({60, 20}));
  const Vector left = cast_shadows(mean_face_shape(), map, unit_vector({-60, 20}));
  EXPECT_LT((right.reshaped(48, 40) - left.reshaped(48, 40).rowwise().reverse())
                .lpNorm<Eigen::Infinity>(),
            1e-6);
}

TEST(CastShadows, RefuseBadInput) {
  const NormalMap map = test_face_map();
  EXPECT_THROW(cast_shadows(post(), map, Matrix::Ones(2, 1)), Error);
  EXPECT_THROW(cast_shadows(post(), map, unit_vector({0, 0}), {.softness = 0.0}), Error);
  EXPECT_THROW(cast_shadows(post(), map, unit_vector({0, 0}), {.start = 0.0}), Error);
  EXPECT_THROW(cast_shadows(post(), map, unit_vector({0, 0}), {.step = 0.0}), Error);
}

}  // namespace
}  // namespace longshot
