// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/size_ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(SizeLadder, OfTheDefaultFace) {
  EXPECT_THAT(size_ladder({48, 40}),
              testing::ElementsAre(Size{6, 5}, Size{7, 6}, Size{10, 8}, Size{12, 10}, Size{14, 12},
                                   Size{19, 16}, Size{24, 20}));
}

TEST(SizeLadder, FollowsTheProportionsAndNeverExceedsTheFace) {
  for (const Size high : {Size{32, 32}, Size{55, 40}, Size{8, 7}, Size{2, 2}, Size{1, 1}}) {
    const std::vector<Size> ladder = size_ladder(high);
    for (std::size_t i = 0; i < ladder.size(); ++i) {
      EXPECT_LE(ladder[i].rows, high.rows);
      EXPECT_LE(ladder[i].cols, high.cols);
      if (i > 0) {
        EXPECT_GT(ladder[i].pixels(), ladder[i - 1].pixels());
      }
    }
  }
  EXPECT_EQ(size_ladder({32, 32}).front(), (Size{4, 4}));
}

TEST(SizeLadder, TakesTheLargestStepThatIsFilled) {
  const std::vector<Size> ladder = size_ladder({48, 40});
  EXPECT_EQ(ladder_step({7, 6}, ladder), (Size{7, 6}));
  EXPECT_EQ(ladder_step({9, 7}, ladder), (Size{7, 6}));
  EXPECT_EQ(ladder_step({10, 8}, ladder), (Size{10, 8}));
  EXPECT_EQ(ladder_step({18, 15}, ladder), (Size{19, 16}));  // lacks less than a tenth
  EXPECT_EQ(ladder_step({17, 14}, ladder), (Size{14, 12}));
  EXPECT_EQ(ladder_step({480, 400}, ladder), (Size{24, 20}));
  EXPECT_EQ(ladder_step({6, 6}, ladder), (Size{7, 6}));
  EXPECT_EQ(ladder_step({7, 5}, ladder), (Size{7, 6}));
  EXPECT_EQ(ladder_step({5, 5}, ladder), (Size{6, 5}));
  EXPECT_EQ(ladder_step({5, 4}, ladder), std::nullopt);
}

TEST(SizeLadder, TheEyesSayHowLargeAFaceIsInAPhoto) {
  Face face;
  face.photo_size = {1000, 1000};
  face.source = FaceSource::kEyes;
  face.eyes = Eyes{{100.0, 100.0}, {105.0, 100.0}};
  EXPECT_EQ(native_size(face, FaceFrame()), (Size{12, 10}));
  face.source = FaceSource::kTightCrop;
  EXPECT_EQ(native_size(face, FaceFrame()), (Size{1000, 1000}));
}

TEST(SizeLadder, SeveralFacesAreSearchedAtTheMiddleOfTheirSteps) {
  const std::vector<Size> ladder = size_ladder({48, 40});
  const auto faces = [](std::initializer_list<Size> sizes) {
    std::vector<Image> list;
    for (const Size size : sizes) list.push_back(Image::Zero(size.rows, size.cols));
    return list;
  };
  EXPECT_EQ(search_size(faces({{7, 6}, {12, 10}, {48, 40}}), ladder), (Size{12, 10}));
  EXPECT_EQ(search_size(faces({{7, 6}, {7, 6}, {7, 6}, {48, 40}}), ladder), (Size{7, 6}));
  EXPECT_EQ(search_size(faces({{12, 10}, {7, 6}}), ladder), (Size{7, 6}));
  // Those that are too small do not count.
  EXPECT_EQ(search_size(faces({{2, 2}, {2, 2}, {12, 10}}), ladder), (Size{12, 10}));
  EXPECT_EQ(search_size(faces({{2, 2}}), ladder), std::nullopt);
}

}  // namespace
}  // namespace longshot
