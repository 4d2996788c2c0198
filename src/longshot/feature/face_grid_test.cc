// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/face_grid.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/resize.h"

namespace longshot {
namespace {

constexpr Size kGrid = {24, 20};

// Grey rises by one per width to the right and by ten per height downwards.
Vector ramp(Size size) {
  Matrix image(size.rows, size.cols);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      image(r, c) = (static_cast<double>(c) + 0.5) / static_cast<double>(size.cols) +
                    10.0 * (static_cast<double>(r) + 0.5) / static_cast<double>(size.rows);
    }
  }
  return image.reshaped();
}

TEST(FaceGrid, TheCanonicalFrameIsOnlyResized) {
  const Vector crop = Vector::LinSpaced(42, 0.0, 1.0).array().sin();
  const Matrix expected =
      imresize_weights(7, 24) * crop.reshaped(7, 6) * imresize_weights(6, 20).transpose();
  const FaceGrid grid({7, 6}, FaceFrame(), {}, kGrid);
  EXPECT_LT((grid.apply(crop) - expected).norm(), 1e-12);
  EXPECT_EQ(grid.visible_rows().sum(), 24.0);
  EXPECT_EQ(grid.visible_columns().sum(), 20.0);
}

// The grey level at the grid's eyes is that at the crop's.
TEST(FaceGrid, EyesComeToTheirPlace) {
  const FaceFrame frame = {{{0.27, 0.23}, {0.74, 0.23}}, 1.0};
  const FaceGrid grid({64, 64}, frame, {}, {48, 40});
  const Matrix seen = grid.apply(ramp({64, 64}));
  // The left eye lies between columns 9 and 10, in the middle of row 16.
  EXPECT_NEAR(0.5 * (seen(16, 9) + seen(16, 10)), 0.27 + 10.0 * 0.23, 5e-3);
  EXPECT_NEAR(0.5 * (seen(16, 29) + seen(16, 30)), 0.74 + 10.0 * 0.23, 5e-3);
}

TEST(FaceGrid, WhatATightCropDoesNotShowIsNotVisible) {
  const FaceFrame frame = {{{0.27, 0.23}, {0.74, 0.23}}, 1.0};
  const FaceGrid grid({32, 32}, frame, {}, {48, 40});
  // The canonical crop begins 0.158 above one that is 1.128 times lower than it.
  EXPECT_EQ(grid.visible_rows().head(6).sum(), 0.0);
  EXPECT_EQ(grid.visible_rows().tail(41).sum(), 41.0);
  EXPECT_EQ(grid.visible_columns().sum(), 40.0);
}

TEST(FaceGrid, AMovedFaceIsFoundWhereItLies) {
  const Registration registration = {0.1, -0.05, 0.0, 0.0};
  const Matrix there = FaceGrid({64, 64}, FaceFrame(), registration, kGrid).apply(ramp({64, 64}));
  const Matrix here = FaceGrid({64, 64}, FaceFrame(), {}, kGrid).apply(ramp({64, 64}));
  EXPECT_NEAR(there(12, 10) - here(12, 10), 0.1 - 10.0 * 0.05, 1e-4);
}

TEST(FaceGrid, BadInput) {
  const FaceGrid grid({7, 6}, FaceFrame(), {}, kGrid);
  EXPECT_THROW(grid.apply(Vector::Ones(41)), Error);
  EXPECT_THROW(FaceGrid({7, 6}, FaceFrame(), {3.0, 0.0, 0.0, 0.0}, kGrid), Error);
}

}  // namespace
}  // namespace longshot
