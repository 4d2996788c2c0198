// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/shift.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(Shift, WholePixelsMoveRightAndDown) {
  const Image image = Image::Random(6, 5);
  const Image moved = shift(image, 1, 2);
  EXPECT_EQ(moved.block(2, 1, 4, 4), image.block(0, 0, 4, 4));
  EXPECT_EQ(moved(0, 0), image(0, 0));  // the border is repeated
}

TEST(Shift, HalfAPixelIsTheMeanOfNeighbours) {
  const Image image = Image::Random(6, 5);
  EXPECT_NEAR(shift(image, 0.5, 0)(3, 2), 0.5 * (image(3, 1) + image(3, 2)), 1e-15);
  EXPECT_EQ(shift(image, 0, 0), image);
}

TEST(Shift, EmptyImageIsRefused) {
  EXPECT_THROW(shift(Image(), 1, 1), Error);
}

}  // namespace
}  // namespace longshot
