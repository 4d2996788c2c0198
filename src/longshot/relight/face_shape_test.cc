// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_shape.h"

#include <cmath>

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(FaceShape, OneTermHasTheGaussiansValueAndSlope) {
  const FaceShape shape({{2.0, 0.0, 0.5, 0.4}});
  const HeightAndSlope at = shape.at(0.3, 0.7);
  const double expected = 2.0 * std::exp(-(0.09 + 0.04) / 0.32);
  EXPECT_NEAR(at.height, expected, 1e-14);
  EXPECT_NEAR(at.slope_x, -expected * 0.3 / 0.16, 1e-14);
  EXPECT_NEAR(at.slope_y, -expected * 0.2 / 0.16, 1e-14);
}

TEST(FaceShape, SlopesAreTheDerivativesOfTheHeight) {
  const FaceShape& shape = mean_face_shape();
  const double step = 1e-5;
  for (double x = -1.0; x <= 1.0; x += 0.23) {
    for (double y = -1.6; y <= 0.8; y += 0.31) {
      const HeightAndSlope at = shape.at(x, y);
      EXPECT_NEAR(at.slope_x,
                  (shape.at(x + step, y).height - shape.at(x - step, y).height) / (2 * step), 1e-7);
      EXPECT_NEAR(at.slope_y,
                  (shape.at(x, y + step).height - shape.at(x, y - step).height) / (2 * step), 1e-7);
    }
  }
}

TEST(FaceShape, MeanFaceIsSymmetric) {
  const FaceShape& shape = mean_face_shape();
  const HeightAndSlope right = shape.at(0.37, -0.4);
  const HeightAndSlope left = shape.at(-0.37, -0.4);
  EXPECT_DOUBLE_EQ(right.height, left.height);
  EXPECT_DOUBLE_EQ(right.slope_x, -left.slope_x);
  EXPECT_DOUBLE_EQ(right.slope_y, left.slope_y);
}

TEST(FaceShape, NoseStandsOutFromTheCheeks) {
  const FaceShape& shape = mean_face_shape();
  EXPECT_GT(shape.at(0.0, -0.55).height, shape.at(0.4, -0.55).height + 0.1);
  EXPECT_LT(shape.at(0.5, 0.0).height, shape.at(0.0, -0.1).height);
}

}  // namespace
}  // namespace longshot
