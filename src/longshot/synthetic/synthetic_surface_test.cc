// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_surface.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/relight/face_shape.h"
#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

const SurfaceGrid kGrid = {-1.5, 1.25, 0.05, 72, 60};

TEST(SyntheticSurface, StandardProportionsLeaveTheGridAsItIs) {
  const Canvas canvas = make_canvas(HeadTraits{}, Expression{}, kGrid);
  EXPECT_NEAR(canvas.x(0), -1.475, 1e-5);
  EXPECT_NEAR(canvas.x(59), 1.475, 1e-5);
  for (Index r = 0; r < canvas.rows(); ++r) {
    EXPECT_NEAR(canvas.y(r), 1.225 - 0.05 * static_cast<double>(r), 1e-5) << r;
  }
}

TEST(SyntheticSurface, ProportionsMoveTheLandmarks) {
  HeadTraits head;
  head.nose_length = 1.2;
  head.philtrum = 0.8;
  // Cells centred on the person's own nose base, mouth and eyes.
  const double nose = -0.70 * 1.2;
  const double mouth = nose - 0.40 * 0.8;
  const auto mapped = [&](double y) {
    return make_canvas(head, {}, {0.0, y + 0.005, 0.01, 3, 3}).y(0);
  };
  EXPECT_NEAR(mapped(nose), kNoseBase, 1e-5);
  EXPECT_NEAR(mapped(mouth), kMouth, 1e-5);
  EXPECT_NEAR(mapped(0.0), 0.0, 1e-5);
}

TEST(SyntheticSurface, TheMapOfTheMostUnusualHeadIsStillIncreasing) {
  for (const double nose : {0.8, 1.2}) {
    for (const double philtrum : {0.65, 1.35}) {
      for (const double chin : {0.8, 1.2}) {
        const HeadTraits head = {1.3, 0.85, nose, philtrum, chin, 2.2};
        const Canvas canvas = make_canvas(head, {0.15, 0, 0, 1, 0, 0}, {-3, 3, 0.01, 700, 600});
        for (Index r = 1; r < canvas.rows(); ++r) ASSERT_LT(canvas.y(r), canvas.y(r - 1));
        for (Index c = 1; c < canvas.cols(); ++c) ASSERT_GT(canvas.x(c), canvas.x(c - 1));
      }
    }
  }
}

TEST(SyntheticSurface, BumpsAddUp) {
  const Canvas canvas = make_canvas(HeadTraits{}, Expression{}, {-1.0, 1.0, 0.02, 100, 100});
  const std::vector<Bump> bumps = {{0.3, 0.2, -0.1, 0.4, 0.5}, {-0.2, -0.5, 0.3, 0.6, 0.3}};
  const Plane sum = sum_of_bumps(bumps, canvas);
  const auto expected = [&](double x, double y) {
    double value = 0.0;
    for (const Bump& b : bumps) {
      value += b.amplitude * std::exp(-0.5 * std::pow((x - b.x) / b.sigma_x, 2) -
                                      0.5 * std::pow((y - b.y) / b.sigma_y, 2));
    }
    return value;
  };
  EXPECT_NEAR(sum(30, 70), expected(canvas.x(70), canvas.y(30)), 1e-3);
  EXPECT_NEAR(sum(80, 10), expected(canvas.x(10), canvas.y(80)), 1e-3);
}

TEST(SyntheticSurface, ABumpFinerThanACellKeepsItsVolume) {
  const Canvas canvas = make_canvas(HeadTraits{}, Expression{}, {-1.0, 1.0, 0.05, 40, 40});
  const Plane sum = sum_of_bumps({{1.0, 0.01, 0.015, 0.02, 0.02}}, canvas);
  EXPECT_NEAR(sum.sum() * 0.05 * 0.05, 2.0 * 3.14159265 * 0.02 * 0.02, 1e-4);
}

TEST(SyntheticSurface, NoiseOnAGridIsTheNoiseAtItsPoints) {
  const Eigen::ArrayXf x = Eigen::ArrayXf::LinSpaced(17, -3.3F, 4.1F);
  const Eigen::ArrayXf y = Eigen::ArrayXf::LinSpaced(11, 2.7F, -1.9F);
  const Plane noise = value_noise(99, x, y);
  for (Index c = 0; c < x.size(); ++c) {
    for (Index r = 0; r < y.size(); ++r) {
      EXPECT_NEAR(noise(r, c), value_noise(99, x(c), y(r)), 1e-6F);
    }
  }
  EXPECT_LE(noise.abs().maxCoeff(), 1.0F);
  EXPECT_GT(noise.maxCoeff() - noise.minCoeff(), 0.5F);
}

TEST(SyntheticSurface, FollowsTheMeanFaceWhereAPersonHasNothingOfItsOwn) {
  SyntheticPerson person;
  const Canvas canvas = make_canvas(person.head, {}, kGrid);
  const Plane height = make_relief_height(person, {}, canvas);
  const FaceShape& mean = mean_face_shape();
  const double at_eyes = mean.at(0.5, 0.0).height;
  // The forehead, far from all added details.
  for (Index c = 15; c < 45; ++c) {
    EXPECT_NEAR(height(10, c), mean.at(canvas.x(c), canvas.y(10)).height - at_eyes, 2e-3);
  }
}

TEST(SyntheticSurface, IsFiniteAndInRangeForEverybody) {
  for (Index i = 0; i < 100; ++i) {
    const FaceSurface surface =
        make_surface(make_person(4, i), {0.1, 0.9, 0.03, 0.6, 0.05, 0.0}, {}, kGrid);
    EXPECT_TRUE(surface.height.isFinite().all());
    EXPECT_TRUE(surface.slope_x.isFinite().all() && surface.slope_y.isFinite().all());
    EXPECT_GE(surface.albedo.minCoeff(), 0.0F);
    EXPECT_LE(surface.albedo.maxCoeff(), 1.0F);
    EXPECT_GE(surface.gloss.minCoeff(), 0.0F);
    EXPECT_GE(surface.backdrop.minCoeff(), 0.0F);
  }
}

TEST(SyntheticSurface, ShowsTheBackgroundBesideTheHeadOnly) {
  SyntheticPerson person;
  const SurfaceGrid wide = {-3.0, 1.5, 0.05, 60, 120};
  const FaceSurface surface = make_surface(person, {}, {}, wide);
  EXPECT_EQ(surface.albedo(30, 2), 0.0F);
  EXPECT_GT(surface.backdrop(30, 2), 0.0F);
  EXPECT_EQ(surface.backdrop(40, 60), 0.0F);
  EXPECT_GT(surface.albedo(40, 60), 0.0F);
}

}  // namespace
}  // namespace longshot
