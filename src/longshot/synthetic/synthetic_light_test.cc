// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_light.h"

#include <cmath>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

FaceSurface flat_surface(Index rows, Index cols) {
  FaceSurface surface;
  surface.relief = surface.height = Plane::Zero(rows, cols);
  surface.slope_x = surface.slope_y = surface.relief;
  surface.albedo = Plane::Constant(rows, cols, 0.5F);
  surface.gloss = surface.backdrop = surface.relief;
  return surface;
}

TEST(SyntheticLight, DirectionsFollowTheAxes) {
  EXPECT_TRUE(direction_of({0, 0, 1}).isApprox(Eigen::Vector3d::UnitZ()));
  EXPECT_TRUE(direction_of({90, 0, 1}).isApprox(Eigen::Vector3d::UnitX()));
  EXPECT_TRUE(direction_of({0, 90, 1}).isApprox(Eigen::Vector3d::UnitY()));
  EXPECT_NEAR(direction_of({-35, 20, 1}).norm(), 1.0, 1e-15);
}

TEST(SyntheticLight, AWallCastsAShadowOfItsHeightAtFortyFiveDegrees) {
  const double pitch = 0.05;
  Plane height = Plane::Zero(9, 60);
  height.col(40).setConstant(0.5F);  // ten cells high
  const Plane seen = unshadowed(height, pitch, direction_of({45, 0, 1}));
  for (Index c = 41; c < 60; ++c) EXPECT_EQ(seen(4, c), 1.0F) << c;
  EXPECT_EQ(seen(4, 40), 1.0F);
  for (Index c = 35; c < 40; ++c) EXPECT_EQ(seen(4, c), 0.0F) << c;
  for (Index c = 31; c < 40; ++c) EXPECT_LT(seen(4, c), 1.0F) << c;
  for (Index c = 0; c < 30; ++c) EXPECT_EQ(seen(4, c), 1.0F) << c;
}

TEST(SyntheticLight, ShadowsFallAwayFromTheLightOnEverySide) {
  Plane height = Plane::Zero(41, 41);
  height.block<3, 3>(19, 19).setConstant(0.3F);
  const auto seen = [&](double azimuth, double elevation) {
    return unshadowed(height, 0.05, direction_of({azimuth, elevation, 1}));
  };
  EXPECT_LT(seen(60, 0)(20, 16), 0.5F);   // light from the right: shadow to the left
  EXPECT_LT(seen(-60, 0)(20, 24), 0.5F);  // from the left
  EXPECT_LT(seen(0, 60)(24, 20), 0.5F);   // from above: shadow below
  EXPECT_LT(seen(0, -60)(16, 20), 0.5F);  // from below
  EXPECT_EQ(seen(60, 0)(20, 24), 1.0F);
  EXPECT_EQ(seen(0, 60)(16, 20), 1.0F);
  EXPECT_LT(seen(45, 40)(23, 17), 0.5F);  // from the upper right: to the lower left
  EXPECT_TRUE((seen(0, 0) == 1.0F).all());
}

TEST(SyntheticLight, SlopesTurnedToTheLightAreNotShadowed) {
  Plane height(5, 40);
  for (Index c = 0; c < 40; ++c) height.col(c).setConstant(-0.03F * static_cast<float>(c));
  // The ramp faces +x at atan(0.6): a light 80 degrees to the right sees all of it, one 80 degrees
  // to the left nothing but the crest.
  EXPECT_TRUE((unshadowed(height, 0.05, direction_of({80, 0, 1})) == 1.0F).all());
  EXPECT_TRUE((unshadowed(height, 0.05, direction_of({-80, 0, 1})).rightCols(30) < 0.2F).all());
}

TEST(SyntheticLight, ShadesAPlaneByLambertsLaw) {
  const FaceSurface surface = flat_surface(4, 5);
  const SyntheticLighting lighting = {{{0, 60, 0.8}, {0, 0, 0.4}}, 0.0};
  const Plane seen = shade(surface, 0.05, lighting, Eigen::Matrix3d::Identity());
  const float expected = 0.5F * (0.8F * 0.5F + 0.4F);
  EXPECT_TRUE(((seen - expected).abs() < 1e-4F).all()) << seen;
}

TEST(SyntheticLight, HighlightIsWhereTheNormalHalvesTheAngle) {
  FaceSurface surface = flat_surface(3, 41);
  surface.albedo.setZero();
  surface.gloss.setOnes();
  for (Index c = 0; c < 41; ++c) {
    surface.slope_x.col(c).setConstant(-0.05F * (static_cast<float>(c) - 20.0F));
  }
  const Plane seen = shade(surface, 0.05, {{{40, 0, 1}}, 0.0}, Eigen::Matrix3d::Identity());
  Index row = 0;
  Index col = 0;
  seen.maxCoeff(&row, &col);
  const double angle = std::atan(0.05 * static_cast<double>(col - 20));
  EXPECT_NEAR(angle * 180.0 / std::numbers::pi, 20.0, 1.5);
}

TEST(SyntheticLight, RandomLightsStayInTheCapAndComeMostlyFromAbove) {
  Random random(5);
  int above = 0;
  for (int i = 0; i < 500; ++i) {
    const SyntheticLighting lighting = random_lighting(random, 50.0);
    lighting.check();
    const Eigen::Vector3d direction = direction_of(lighting.lights.front());
    EXPECT_GE(direction.z(), std::cos(50.0 * std::numbers::pi / 180.0) - 1e-9);
    if (direction.y() > 0.0) ++above;
  }
  EXPECT_GT(above, 380);
  EXPECT_LT(above, 490);
}

TEST(SyntheticLight, RefusesImpossibleLight) {
  EXPECT_NO_THROW(frontal_lighting().check());
  EXPECT_THROW((SyntheticLighting{{}, 0.0}).check(), Error);
  EXPECT_THROW((SyntheticLighting{{}, -0.1}).check(), Error);
  EXPECT_THROW((SyntheticLighting{{{200, 0, 1}}, 0.1}).check(), Error);
  EXPECT_THROW((SyntheticLighting{{{0, 91, 1}}, 0.1}).check(), Error);
  EXPECT_THROW((SyntheticLighting{{{0, 0, -1}}, 0.1}).check(), Error);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW((SyntheticLighting{{{nan, 0, 1}}, 0.1}).check(), Error);
}

}  // namespace
}  // namespace longshot
