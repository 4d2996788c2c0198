// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/light_sets.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(LightDirection, AxesAreRightUpAndTowardsTheCamera) {
  EXPECT_TRUE(unit_vector({0, 0}).isApprox(Eigen::Vector3d(0, 0, 1)));
  EXPECT_TRUE(unit_vector({90, 0}).isApprox(Eigen::Vector3d(1, 0, 0)));
  EXPECT_TRUE(unit_vector({0, 90}).isApprox(Eigen::Vector3d(0, 1, 0)));
  EXPECT_GT(unit_vector({20, -30}).x(), 0.0);
  EXPECT_LT(unit_vector({20, -30}).y(), 0.0);
}

TEST(LightDirection, ComesBackFromItsVector) {
  const LightDirection light = light_direction(3.0 * unit_vector({-47, 66}));
  EXPECT_NEAR(light.azimuth, -47.0, 1e-12);
  EXPECT_NEAR(light.elevation, 66.0, 1e-12);
  EXPECT_EQ(light_direction(Eigen::Vector3d::Zero()), (LightDirection{0, 0}));
}

TEST(LightDirection, MirrorNegatesX) {
  const Eigen::Vector3d light = unit_vector({30, 45});
  EXPECT_TRUE(
      unit_vector(mirrored({30, 45})).isApprox(light.cwiseProduct(Eigen::Vector3d(-1, 1, 1))));
  EXPECT_FALSE(std::signbit(mirrored({0, 45}).azimuth));
}

// Lee, Ho and Kriegman give polar angle and rotation about the viewing axis.
TEST(NinePointsOfLight, AreThePublishedOnesToADegree) {
  const double published[9][2] = {{0, 0},     {68, -90}, {74, 108}, {80, 52}, {85, -42},
                                  {85, -137}, {85, 146}, {85, -4},  {51, 67}};
  const std::vector<LightDirection> lights = nine_points_of_light();
  ASSERT_EQ(lights.size(), 9u);
  const double radians = std::numbers::pi / 180.0;
  for (std::size_t i = 0; i < 9; ++i) {
    const double polar = published[i][0] * radians;
    const double turn = published[i][1] * radians;
    const Eigen::Vector3d expected(std::sin(polar) * std::cos(turn),
                                   std::sin(polar) * std::sin(turn), std::cos(polar));
    EXPECT_GT(unit_vector(lights[i]).dot(expected), std::cos(1.0 * radians)) << i;
  }
}

TEST(LightSets, HaveTheirSizesAndStartFrontally) {
  EXPECT_EQ(five_lights().size(), 5u);
  EXPECT_EQ(ten_lights().size(), 10u);
  EXPECT_EQ(grid_lights().size(), 28u);
  EXPECT_EQ(five_lights()[0], (LightDirection{0, 0}));
  EXPECT_EQ(ten_lights()[0], (LightDirection{0, 0}));
}

TEST(LightSets, TheGridIsItsOwnMirrorImage) {
  const std::vector<LightDirection> lights = grid_lights();
  for (const LightDirection& light : lights) {
    EXPECT_NE(std::find(lights.begin(), lights.end(), mirrored(light)), lights.end());
  }
}

TEST(LightSets, TheHemisphereIsOfUnitVectorsBeforeTheFaceAndSymmetric) {
  const Matrix directions = hemisphere_directions();
  ASSERT_EQ(directions.cols(), 31);
  for (Index i = 0; i < directions.cols(); ++i) {
    EXPECT_NEAR(directions.col(i).norm(), 1.0, 1e-14);
    EXPECT_GT(directions(2, i), 0.0);
    const Eigen::Vector3d mirror = directions.col(i).cwiseProduct(Eigen::Vector3d(-1, 1, 1));
    EXPECT_LT((directions.colwise() - mirror).colwise().norm().minCoeff(), 1e-12);
  }
}

TEST(ParseLights, ReadsNamedSetsAndLists) {
  EXPECT_EQ(parse_lights("5"), five_lights());
  EXPECT_EQ(parse_lights("9"), nine_points_of_light());
  EXPECT_EQ(parse_lights("10"), ten_lights());
  EXPECT_EQ(parse_lights("28"), grid_lights());
  EXPECT_EQ(parse_lights("0:0"), (std::vector<LightDirection>{{0, 0}}));
  EXPECT_EQ(parse_lights("-30:12.5,+90:-90"),
            (std::vector<LightDirection>{{-30, 12.5}, {90, -90}}));
}

TEST(ParseLights, RefusesEverythingElseInOneSentence) {
  for (const char* text : {"", "7", "x", "10:", ":10", "1:2:3", "1:2,", ",1:2", "1:2 ,3:4", "1 :2",
                           "91:0", "0:-91", "nan:0", "0:inf", "1e999:0", "++1:0"}) {
    try {
      parse_lights(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::EndsWith("."));
    }
  }
  std::string many = "0:0";
  for (int i = 0; i < 1000; ++i) many += ",0:0";
  EXPECT_THROW(parse_lights(many), Error);
}

}  // namespace
}  // namespace longshot
