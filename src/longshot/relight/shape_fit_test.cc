// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/shape_fit.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// Few candidates, so that tests are quick; all centres of the known shape are among them.
ShapeFitOptions small_options() {
  ShapeFitOptions options;
  options.grids = {{0.8, 0.8, 0.8, -1.6, 0.8}, {0.3, 0.4, 0.8, -1.2, 0.4}};
  options.most_terms = 20;
  options.ridge = 1e-9;
  return options;
}

FaceShape known_shape() {
  return FaceShape({{1.3, 0.0, -0.8, 0.8}, {0.25, 0.0, -0.4, 0.3}, {-0.1, 0.4, 0.0, 0.3}});
}

TEST(FitShape, RecoversAKnownShape) {
  FaceFrame tilted;
  tilted.eyes = {{0.25, 0.4}, {0.7, 0.33}};
  tilted.aspect = 1.1;
  for (const FaceFrame& frame : {FaceFrame{}, tilted}) {
    const NormalMap map = normals_of_shape(known_shape(), frame, {48, 40});
    const ShapeFit fit = fit_shape(map, small_options());
    EXPECT_LT(fit.mean_angle, 1e-2);
    for (double x = -0.6; x <= 0.6; x += 0.3) {
      for (double y = -1.0; y <= 0.5; y += 0.25) {
        EXPECT_NEAR(fit.shape.at(x, y).slope_x, known_shape().at(x, y).slope_x, 1e-3);
        EXPECT_NEAR(fit.shape.at(x, y).slope_y, known_shape().at(x, y).slope_y, 1e-3);
      }
    }
  }
}

TEST(FitShape, ChoosesTheTellingTermsFirst) {
  ShapeFitOptions options = small_options();
  options.most_terms = 1;
  const FaceShape one({{0.9, 0.4, -0.8, 0.3}});
  const ShapeFit fit = fit_shape(normals_of_shape(one, FaceFrame{}, {48, 40}), options);
  ASSERT_EQ(fit.shape.terms().size(), 1u);
  EXPECT_NEAR(fit.shape.terms()[0].amplitude, 0.9, 1e-6);
  EXPECT_NEAR(fit.shape.terms()[0].x0, 0.4, 1e-12);
  EXPECT_NEAR(fit.shape.terms()[0].y0, -0.8, 1e-12);
}

TEST(FitShape, MoreTermsFitNoWorse) {
  const NormalMap map = normals_of_shape(mean_face_shape(), FaceFrame{}, {24, 20});
  ShapeFitOptions options = small_options();
  options.most_terms = 2;
  const double two = fit_shape(map, options).mean_angle;
  options.most_terms = 20;
  EXPECT_LT(fit_shape(map, options).mean_angle, two);
}

TEST(FitShape, WeightZeroDoesNotCount) {
  const NormalMap good = normals_of_shape(known_shape(), FaceFrame{}, {48, 40});
  const NormalMap wrong =
      normals_of_shape(FaceShape({{-2.0, 0.0, 0.0, 0.5}}), FaceFrame{}, {48, 40});
  const std::vector<WeightedNormals> both = {{good, Vector::Ones(good.size.pixels())},
                                             {wrong, Vector::Zero(wrong.size.pixels())}};
  EXPECT_LT(fit_shape(both, small_options()).mean_angle, 1e-2);
}

TEST(FitShape, BadInputIsRefused) {
  const NormalMap map = normals_of_shape(known_shape(), FaceFrame{}, {12, 10});
  const WeightedNormals short_weights{map, Vector::Ones(7)};
  EXPECT_THROW(fit_shape({&short_weights, 1}, small_options()), Error);
  const WeightedNormals nothing{map, Vector::Zero(120)};
  EXPECT_THROW(fit_shape({&nothing, 1}, small_options()), Error);
  ShapeFitOptions options = small_options();
  options.grids[0].sigma = 0.0;
  EXPECT_THROW(options.check(), Error);
  options = small_options();
  options.ridge = 0.0;
  EXPECT_THROW(options.check(), Error);
  options = small_options();
  options.most_terms = 0;
  EXPECT_THROW(options.check(), Error);
  options = small_options();
  options.grids[1].spacing = 0.02;
  options.grids[1].right = 10.0;
  EXPECT_THROW(options.check(), Error);
}

TEST(MeanFaceSource, IsTheFileThatShips) {
  const std::string source = mean_face_source(FaceShape({{-0.25, 0.5, 0.0, 0.4}}));
  EXPECT_THAT(source, testing::HasSubstr("      {-0.2500, 0.500, 0.000, 0.400},\n"));
  EXPECT_THAT(source, testing::HasSubstr("const FaceShape& mean_face_shape() {"));
}

}  // namespace
}  // namespace longshot
