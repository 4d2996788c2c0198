// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image.h"

#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/face_frame.h"

namespace longshot {
namespace {

TEST(Size, ParsesRowsByColumns) {
  EXPECT_EQ(parse_size("7x6"), (Size{7, 6}));
  EXPECT_EQ(to_string(parse_size("48x40")), "48x40");
}

TEST(Size, RefusesEverythingElse) {
  for (const char* bad : {"", "7", "7x", "x6", "0x6", "7x-6", "7X6", "7x6x5", "7 x 6", "10001x5",
                          "99999999999999999999x2", "7.5x6"}) {
    EXPECT_THROW(parse_size(bad), Error) << bad;
  }
}

TEST(Image, FlipTwiceIsTheImage) {
  const Image image = Image::Random(5, 4);
  EXPECT_EQ(flip(flip(image)), image);
  EXPECT_EQ(flip(image)(2, 0), image(2, 3));
}

TEST(Image, FlippedEyesStayLeftAndRight) {
  const Eyes eyes{{10, 12}, {30, 14}};
  const Eyes flipped = flip(eyes, 50);
  EXPECT_EQ(flipped, (Eyes{{20, 14}, {40, 12}}));
  EXPECT_EQ(flip(flipped, 50), eyes);
}

TEST(Image, CheckNamesWhatIsWrong) {
  EXPECT_THROW(check_image(Image(), "x"), Error);
  Image image = Image::Zero(2, 2);
  EXPECT_NO_THROW(check_image(image, "x"));
  image(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(check_image(image, "x"), Error);
}

TEST(FaceFrame, CanonicalEyesAreSymmetricInRow16) {
  const Eyes eyes = eyes_in_pixels(FaceFrame(), {48, 40});
  EXPECT_DOUBLE_EQ(eyes.left.x, 10.0);  // the middle between columns 9 and 10
  EXPECT_DOUBLE_EQ(eyes.right.x, 30.0);
  EXPECT_DOUBLE_EQ(eyes.left.y, 16.5);  // the centre of row 16
  EXPECT_EQ(flip(eyes, 40), eyes);
}

TEST(FaceFrame, CheckRefusesImpossibleFrames) {
  EXPECT_NO_THROW(FaceFrame().check());
  EXPECT_THROW((FaceFrame{{{0.7, 0.3}, {0.2, 0.3}}, 1.2}.check()), Error);
  EXPECT_THROW((FaceFrame{{{0.2, 0.3}, {1.2, 0.3}}, 1.2}.check()), Error);
  EXPECT_THROW((FaceFrame{{{0.2, 0.3}, {0.8, 0.3}}, 0.0}.check()), Error);
}

TEST(MirroredColumns, ExchangesLeftAndRight) {
  Matrix image(4, 1);
  image << 1, 2, 3, 4;  // 2 rows, 2 columns
  EXPECT_EQ(mirrored_columns(image, {2, 2}), (Matrix(4, 1) << 3, 4, 1, 2).finished());
}

}  // namespace
}  // namespace longshot
