// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_plane.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(FacePlane, EyesAreHalfAUnitFromTheOrigin) {
  FaceFrame frame;
  frame.eyes = {{0.2, 0.5}, {0.6, 0.3}};
  frame.aspect = 1.5;
  const FacePlane plane(frame);
  EXPECT_LT((plane.on_face(frame.eyes.left) - Eigen::Vector2d(-0.5, 0.0)).norm(), 1e-12);
  EXPECT_LT((plane.on_face(frame.eyes.right) - Eigen::Vector2d(0.5, 0.0)).norm(), 1e-12);
  // The right eye is 0.2 * 1.5 higher and 0.4 further right: a tilt with tangent 3/4.
  EXPECT_NEAR(plane.rotation()(0, 0), 0.8, 1e-12);
  EXPECT_NEAR(plane.rotation()(1, 0), 0.6, 1e-12);
}

TEST(FacePlane, CanonicalCropSpansTwoEyeDistances) {
  const FacePlane plane{FaceFrame{}};
  EXPECT_LT((plane.on_face({0.0, 0.0}) - Eigen::Vector2d(-1.0, 0.825)).norm(), 1e-12);
  EXPECT_LT((plane.on_face({1.0, 1.0}) - Eigen::Vector2d(1.0, -1.575)).norm(), 1e-12);
}

TEST(FacePlane, ThereAndBack) {
  FaceFrame frame;
  frame.eyes = {{0.3, 0.2}, {0.7, 0.28}};
  frame.aspect = 0.9;
  const FacePlane plane(frame);
  const Point there = plane.in_crop(plane.on_face({0.13, 0.87}));
  EXPECT_NEAR(there.x, 0.13, 1e-12);
  EXPECT_NEAR(there.y, 0.87, 1e-12);
}

TEST(FacePlane, BadFrameIsRefused) {
  FaceFrame frame;
  frame.aspect = -1.0;
  EXPECT_THROW(FacePlane{frame}, Error);
}

}  // namespace
}  // namespace longshot
