// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/align.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// A smooth picture whose value at any point is known.
double scene(double x, double y) {
  return 0.5 + 0.2 * std::sin(x / 9.0) + 0.2 * std::cos(y / 7.0);
}

Image picture(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols, [](Index r, Index c) {
    return scene(static_cast<double>(c) + 0.5, static_cast<double>(r) + 0.5);
  });
}

TEST(Align, EyesAlreadyInPlaceGiveTheSamePixels) {
  const Image photo = picture(48, 40);
  const Eyes eyes = eyes_in_pixels(FaceFrame(), {48, 40});
  EXPECT_LT((align_face(photo, eyes, FaceFrame(), {48, 40}) - photo).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(Align, ShiftTurnAndScaleAreUndone) {
  const Image photo = picture(300, 300);
  const Eyes eyes{{120, 100}, {158, 112}};
  const Image face = align_face(photo, eyes, FaceFrame(), {96, 80});
  // The frame's eyes, 40 pixels apart at this size, land on the photo's eyes; 10 pixels below the
  // left eye lies at right angles to the line between them.
  const double scale = eye_distance(eyes) / 40.0;
  const double ux = (eyes.right.x - eyes.left.x) / eye_distance(eyes);
  const double uy = (eyes.right.y - eyes.left.y) / eye_distance(eyes);
  const auto expected = [&](double dx, double dy) {
    return scene(eyes.left.x + scale * (dx * ux - dy * uy),
                 eyes.left.y + scale * (dx * uy + dy * ux));
  };
  EXPECT_NEAR(face(33, 20), expected(0.5, 0.5), 2e-3);
  EXPECT_NEAR(face(33, 60), expected(40.5, 0.5), 2e-3);
  EXPECT_NEAR(face(43, 20), expected(0.5, 10.5), 2e-3);
}

TEST(Align, ShrinkingTakesTheMeanOverTheFootprint) {
  // A checkerboard of single pixels averages to grey; point sampling would show black or white.
  const Image photo = Image::NullaryExpr(
      480, 400, [](Index r, Index c) { return static_cast<double>((r + c) % 2); });
  const Eyes eyes = eyes_in_pixels(FaceFrame(), {480, 400});
  const Image face = align_face(photo, eyes, FaceFrame(), {7, 6});
  EXPECT_LT((face.array() - 0.5).abs().maxCoeff(), 0.02);
}

TEST(Align, SmallSizesShowTheSameCrop) {
  const Image photo = picture(200, 200);
  const Eyes eyes{{80, 80}, {120, 80}};
  const Image large = align_face(photo, eyes, FaceFrame(), {48, 40});
  const Image small = align_face(photo, eyes, FaceFrame(), {12, 10});
  EXPECT_NEAR(small(5, 4), large.block(20, 16, 4, 4).mean(), 1e-3);
}

TEST(Align, MirroredPhotoGivesTheMirroredFace) {
  const Image photo = picture(100, 100);
  const Eyes eyes{{40, 45}, {61, 41}};
  const Image face = align_face(photo, eyes, FaceFrame(), {48, 40});
  const Image mirrored = align_face(flip(photo), flip(eyes, 100), FaceFrame(), {48, 40});
  EXPECT_LT((flip(face) - mirrored).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(Align, FaceAtTheBorderRepeatsTheBorder) {
  const Image face =
      align_face(Image::Constant(20, 20, 0.7), {{2, 3}, {18, 3}}, FaceFrame(), {48, 40});
  EXPECT_LT((face.array() - 0.7).abs().maxCoeff(), 1e-12);
}

TEST(Align, RefusesImpossibleEyes) {
  const Image photo = picture(50, 50);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(align_face(photo, {{20, 20}, {20, 20}}, FaceFrame(), {48, 40}), Error);
  EXPECT_THROW(align_face(photo, {{20, 20}, {500, 20}}, FaceFrame(), {48, 40}), Error);
  EXPECT_THROW(align_face(photo, {{nan, 20}, {40, 20}}, FaceFrame(), {48, 40}), Error);
  EXPECT_THROW(align_face(Image(), {{20, 20}, {40, 20}}, FaceFrame(), {48, 40}), Error);
}

}  // namespace
}  // namespace longshot
