// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/lighting.h"

#include <cmath>
#include <limits>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

// A map whose normals all see this light, so that the law is linear.
NormalMap map_without_shadow(const Eigen::Vector3d& source) {
  NormalMap map = test_face_map();
  for (Index p = 0; p < map.size.pixels(); ++p) {
    if (map.normals.col(p).dot(source) <= 0.05) map.mask(p) = 0.0;
  }
  return map;
}

double degrees_between(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  return std::acos(std::min(1.0, a.normalized().dot(b.normalized()))) * 57.29577951308232;
}

TEST(LightOfThePaper, IsExactForConstantAlbedoWithoutShadow) {
  const Eigen::Vector3d source = 0.7 * unit_vector({30, 20});
  const NormalMap map = map_without_shadow(source);
  const Image image = render(map, Vector::Constant(map.size.pixels(), 0.8), source);
  const LightEstimate light = estimate_light_paper(image, map);
  EXPECT_LT((light.source - 0.8 * source).norm(), 1e-8);
  EXPECT_EQ(light.reason, LightReason::kEstimated);
  EXPECT_EQ(light.pixels_used, static_cast<Index>(map.mask.sum()));
  EXPECT_GT(light.condition, 1.0);
}

TEST(LightOfThePaper, IsTheFormulaAlsoWhereTexturedAlbedoBiasesIt) {
  const Eigen::Vector3d source = unit_vector({20, 10});
  const NormalMap map = map_without_shadow(source);
  const Image image = render(map, test_albedo(map.size), source);
  Eigen::Matrix3d gram = Eigen::Matrix3d::Zero();
  Eigen::Vector3d right = Eigen::Vector3d::Zero();
  for (Index p = 0; p < image.size(); ++p) {
    gram += map.mask(p) * map.normals.col(p) * map.normals.col(p).transpose();
    right += map.mask(p) * image.reshaped()(p) * map.normals.col(p);
  }
  const LightEstimate light = estimate_light_paper(image, map);
  EXPECT_LT((light.source - gram.inverse() * right).norm(), 1e-10);
  EXPECT_GT(degrees_between(light.source, source), 0.01);
}

TEST(Light, IsExactWithTheTrueAlbedoThroughAttachedShadows) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  for (const LightDirection& at : ten_lights()) {
    const Eigen::Vector3d source = 0.9 * unit_vector(at);
    const LightEstimate light =
        estimate_light(render(map, albedo, source), map, albedo, {.rounds = 10});
    EXPECT_EQ(light.reason, LightReason::kEstimated) << at.azimuth << ":" << at.elevation;
    EXPECT_LT((light.source - source).norm(), 1e-8) << at.azimuth << ":" << at.elevation;
  }
}

TEST(Light, ThreeRoundsAreBetterThanNone) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = unit_vector({70, 0});
  const Image image = render(map, albedo, source);
  const auto error = [&](int rounds) {
    return degrees_between(estimate_light(image, map, albedo, {.rounds = rounds}).source, source);
  };
  EXPECT_LT(error(3), 0.5 * error(0));
}

TEST(Light, ScalesWithThePhotoAndAgainstTheAlbedo) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Image image = render(map, albedo, 0.5 * unit_vector({25, 20}));
  const Eigen::Vector3d once = estimate_light(image, map, albedo).source;
  EXPECT_LT((estimate_light(0.1 * image, map, albedo).source - 0.1 * once).norm(), 1e-12);
  EXPECT_LT((estimate_light(image, map, 4.0 * albedo).source - 0.25 * once).norm(), 1e-12);
}

TEST(Light, FlipsWithThePhoto) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Image image = render(map, albedo, 0.5 * unit_vector({40, -20}));
  const Eigen::Vector3d light = estimate_light_paper(image, map).source;
  const Eigen::Vector3d flipped = estimate_light_paper(flip(image), flip(map)).source;
  EXPECT_LT((flipped - light.cwiseProduct(Eigen::Vector3d(-1, 1, 1))).norm(), 1e-12);
}

TEST(Light, LeavesSaturatedPixelsOut) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = 1.6 * unit_vector({10, 5});
  const Image clipped = render(map, albedo, source).cwiseMin(1.0);
  ASSERT_GT((clipped.array() > 0.98).count(), 200);
  const LightEstimate light = estimate_light(clipped, map, albedo, {.rounds = 10});
  EXPECT_LT((light.source - source).norm(), 1e-8);
  LightOptions all;
  all.saturated = std::numeric_limits<double>::infinity();
  EXPECT_GT((estimate_light(clipped, map, albedo, all).source - source).norm(), 1e-2);
}

TEST(Light, SeparatesTheAmbientPart) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = 0.6 * unit_vector({30, 30});
  const LightEstimate light = estimate_light(render(map, albedo, source, 0.1), map, albedo,
                                             {.rounds = 10, .ambient = true});
  EXPECT_LT((light.source - source).norm(), 1e-8);
  EXPECT_NEAR(light.ambient, 0.1, 1e-8);
}

TEST(Light, ClampsANegativeAmbientPart) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  Image image = render(map, albedo, unit_vector({10, 0}));
  image.reshaped() -= 0.2 * albedo;
  const LightEstimate light = estimate_light(image, map, albedo, {.ambient = true});
  EXPECT_EQ(light.ambient, 0.0);
  EXPECT_EQ(light.source, estimate_light(image, map, albedo).source);
}

TEST(Light, IsFrontalWhereNothingCanBeSaid) {
  const NormalMap map = test_face_map();
  const Vector ones = Vector::Ones(map.size.pixels());
  const Image white = Image::Ones(48, 40);
  const LightEstimate saturated = estimate_light(white, map, ones);
  EXPECT_EQ(saturated.reason, LightReason::kIllConditioned);
  EXPECT_TRUE(saturated.is_fallback());
  EXPECT_EQ(saturated.source.head<2>().norm(), 0.0);
  EXPECT_GT(saturated.source.z(), 0.9);

  const LightEstimate black = estimate_light(Image::Zero(48, 40), map, ones);
  EXPECT_EQ(black.reason, LightReason::kDark);
  EXPECT_EQ(black.strength(), 0.0);

  NormalMap nowhere = map;
  nowhere.mask.setZero();
  EXPECT_EQ(estimate_light(white, nowhere, ones).reason, LightReason::kIllConditioned);
  EXPECT_EQ(estimate_light_paper(white, nowhere).strength(), 0.0);

  NormalMap flat = map;
  flat.normals.colwise() = Eigen::Vector3d::UnitZ();
  const LightEstimate same = estimate_light(0.5 * white, flat, ones);
  EXPECT_EQ(same.reason, LightReason::kIllConditioned);
  EXPECT_NEAR(same.source.z(), 0.5, 1e-12);
}

TEST(Light, FromBehindBecomesFrontal) {
  const NormalMap map = test_face_map();
  const Vector ones = Vector::Ones(map.size.pixels());
  // Brightest where the normals turn away from the camera.
  Image image = Image::Zero(48, 40);
  image.reshaped() = 0.9 * (1.0 - map.normals.row(2).transpose().array());
  const LightEstimate light = estimate_light(image, map, ones, {.rounds = 0, .ambient = true});
  EXPECT_EQ(light.reason, LightReason::kBehind);
  EXPECT_EQ(light.source.head<2>().norm(), 0.0);
  EXPECT_GT(light.source.z(), 0.0);
}

TEST(Light, SurvivesTinyAndHalfSaturatedPhotos) {
  const NormalMap tiny = test_face_map({3, 3});
  for (const double value : {0.0, 0.5, 1.0}) {
    EXPECT_TRUE(
        estimate_light(Image::Constant(3, 3, value), tiny, Vector::Ones(9)).source.allFinite());
  }
  const NormalMap map = test_face_map();
  Image half = Image::Zero(48, 40);
  half.leftCols(20).setOnes();
  EXPECT_TRUE(estimate_light(half, map, Vector::Ones(1920)).source.allFinite());
}

TEST(Light, RefusesBadInput) {
  const NormalMap map = test_face_map();
  const Vector ones = Vector::Ones(map.size.pixels());
  Image image = Image::Ones(48, 40);
  EXPECT_THROW(estimate_light(Image::Ones(40, 48), map, ones), Error);
  EXPECT_THROW(estimate_light(image, map, Vector::Ones(3)), Error);
  EXPECT_THROW(estimate_light(image, map, ones, {.rounds = -1}), Error);
  EXPECT_THROW(estimate_light(image, map, ones, {.lit_cosine = 1.5}), Error);
  EXPECT_THROW(estimate_light(image, map, ones, {.least_lit = -0.1}), Error);
  EXPECT_THROW(estimate_light(image, map, ones, {.saturated = 0.0}), Error);
  EXPECT_THROW(estimate_light(image, map, ones, {.max_condition = 1.0}), Error);
  EXPECT_THROW(estimate_several_lights(image, map, ones, Matrix::Ones(2, 4)), Error);
  image(5, 5) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(estimate_light(image, map, ones), Error);
  EXPECT_THROW(estimate_light_paper(image, map), Error);
}

TEST(SeveralLights, AreRecoveredFromTheirCandidates) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Matrix candidates = hemisphere_directions();
  const Eigen::Vector3d first = 0.5 * candidates.col(20);
  const Eigen::Vector3d second = 0.3 * candidates.col(26);
  const Image image = render(map, albedo, first, 0.05) + render(map, albedo, second);
  const LightEstimate light = estimate_several_lights(image, map, albedo, candidates);
  ASSERT_EQ(light.sources.cols(), 2);
  EXPECT_LT((light.sources.col(0) - first).norm(), 1e-8);
  EXPECT_LT((light.sources.col(1) - second).norm(), 1e-8);
  EXPECT_NEAR(light.ambient, 0.05, 1e-8);
  EXPECT_NEAR(light.strength(), 0.8, 1e-8);
  const Eigen::Vector3d normal = map.normals.col(700);
  EXPECT_NEAR(albedo(700) * shading_at(normal, light), image.reshaped()(700), 1e-8);
}

TEST(SeveralLights, SurviveBlackWhiteAndNoMask) {
  NormalMap map = test_face_map();
  const Vector ones = Vector::Ones(map.size.pixels());
  const Matrix candidates = hemisphere_directions();
  EXPECT_EQ(estimate_several_lights(Image::Zero(48, 40), map, ones, candidates).reason,
            LightReason::kDark);
  EXPECT_TRUE(estimate_several_lights(Image::Ones(48, 40), map, ones, candidates).is_fallback());
  map.mask.setZero();
  EXPECT_TRUE(estimate_several_lights(Image::Ones(48, 40), map, ones, candidates).is_fallback());
}

}  // namespace
}  // namespace longshot
