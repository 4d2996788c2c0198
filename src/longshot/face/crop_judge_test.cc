// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/crop_judge.h"

#include <gtest/gtest.h>

#include "longshot/core/random.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/align.h"

namespace longshot {
namespace {

Image face_crop(Index person, Size size) {
  const SyntheticPhoto photo = small_portrait(person, 20.0);
  return align_face(photo.image, photo.eyes, FaceFrame(), size);
}

TEST(CropJudge, FacesAreFacesAtAnySize) {
  for (const Size size : {Size{7, 6}, Size{12, 10}, Size{22, 15}, Size{39, 32}}) {
    for (Index person = 0; person < 20; ++person) {
      EXPECT_FALSE(is_no_face(face_crop(person, size))) << person << " " << to_string(size);
    }
  }
}

TEST(CropJudge, BrightnessAndContrastDoNotMatter) {
  const Image crop = face_crop(1, {12, 10});
  const Image hazy = (0.3 + 0.2 * crop.array()).matrix();
  EXPECT_NEAR(*face_log_odds(crop), *face_log_odds(hazy), 1e-3);
}

TEST(CropJudge, NeitherDoesItWhichSideIsWhich) {
  const Image crop = face_crop(2, {22, 15});
  EXPECT_NEAR(*face_log_odds(crop), *face_log_odds(flip(crop)), 1e-3);
}

TEST(CropJudge, NoiseAndWallpaperAreNoFaces) {
  Random random(3);
  for (const Size size : {Size{22, 18}, Size{30, 25}}) {
    Index noisy = 0;
    for (int i = 0; i < 50; ++i) {
      noisy += is_no_face(
          Image::NullaryExpr(size.rows, size.cols, [&] { return 0.5 + 0.15 * random.normal(); }));
    }
    EXPECT_GE(noisy, 45) << to_string(size);
    const auto pattern = [&](auto value) {
      return Image::NullaryExpr(size.rows, size.cols, value);
    };
    EXPECT_TRUE(is_no_face(pattern([](Index r, Index) { return r / 3 % 2 == 0 ? 0.3 : 0.6; })));
    EXPECT_TRUE(is_no_face(pattern([](Index, Index c) { return c / 2 % 2 == 0 ? 0.3 : 0.6; })));
    EXPECT_TRUE(
        is_no_face(pattern([](Index r, Index c) { return (r / 4 + c / 4) % 2 == 0 ? 0.2 : 0.7; })));
  }
}

TEST(CropJudge, OfAFlatImageNothingIsSaid) {
  EXPECT_EQ(face_log_odds(Image::Constant(12, 10, 0.4)), std::nullopt);
}

}  // namespace
}  // namespace longshot
