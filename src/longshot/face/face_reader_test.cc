// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/align.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

Image checkerboard(Index rows, Index cols) {
  return Image::NullaryExpr(rows, cols, [](Index r, Index c) {
    return 0.2 + 0.6 * static_cast<double>((r / 8 + c / 8) % 2);
  });
}

Sample sample_with(std::optional<Eyes> eyes, std::optional<Box> box = {}) {
  Sample sample;
  sample.path = "photo.png";
  sample.eyes = eyes;
  sample.box = box;
  return sample;
}

TEST(FaceReader, CroppedImagesAreUsedAsTheyAre) {
  FaceReadOptions options;
  options.size = {0, 0};
  FaceReader reader(options);
  const FaceFrame frame{{{0.27, 0.23}, {0.74, 0.23}}, 1.0};
  const Image crop = checkerboard(32, 32);
  const Face face = reader.cut_out(crop, sample_with(Eyes{{1, 1}, {9, 1}}), frame);
  EXPECT_EQ(face.image, crop);
  EXPECT_EQ(face.frame, frame);
  EXPECT_EQ(face.source, FaceSource::kAligned);
}

TEST(FaceReader, StatedEyesWinOverABox) {
  FaceReader reader(FaceReadOptions{});
  const Face face = reader.cut_out(checkerboard(200, 200),
                                   sample_with(Eyes{{80, 90}, {120, 90}}, Box{0, 0, 9, 9}), {});
  EXPECT_EQ(face.source, FaceSource::kEyes);
  EXPECT_EQ(size_of(face.image), (Size{48, 40}));
}

TEST(FaceReader, BoxGivesTheUsualEyes) {
  FaceReader reader(FaceReadOptions{});
  const Face face =
      reader.cut_out(checkerboard(200, 200), sample_with({}, Box{50, 50, 100, 100}), {});
  EXPECT_EQ(face.source, FaceSource::kBox);
  EXPECT_FALSE(face.eyes_found);
  EXPECT_NEAR(face.eyes->left.x, 81.6, 1e-9);
}

// As faces are passed around: the frame at that size.
Image tight_crop(Index person, Size size) {
  const SyntheticPhoto photo = small_portrait(person, 20.0);
  return align_face(photo.image, photo.eyes, FaceFrame(), size);
}

TEST(FaceReader, SmallFacesThatFillTheImageAreUsedAsTheyAre) {
  FaceReader reader(FaceReadOptions{});
  for (const Size size : {Size{7, 6}, Size{12, 10}, Size{24, 20}, Size{38, 32}}) {
    const Face face = reader.cut_out(tight_crop(1, size), sample_with({}), {});
    EXPECT_EQ(face.source, FaceSource::kTightCrop) << to_string(size);
  }
}

TEST(FaceReader, SmallCropsOnWhichNothingIsFoundAreUsedAsTheyAre) {
  FaceReader reader(FaceReadOptions{});
  const Image blurred = Image::Constant(22, 15, 0.4);
  EXPECT_EQ(reader.cut_out(blurred, sample_with({}), {}).source, FaceSource::kTightCrop);
}

TEST(FaceReader, SmallImagesThatAreClearlyNoFaceAreRefusedWhereThatIsAsked) {
  FaceReadOptions options;
  FaceReader believing(options);
  options.judge_crops = true;
  FaceReader judging(options);
  const Image stripes =
      Image::NullaryExpr(22, 18, [](Index r, Index) { return r / 3 % 2 == 0 ? 0.3 : 0.6; });
  EXPECT_EQ(believing.cut_out(stripes, sample_with({}), {}).source, FaceSource::kTightCrop);
  try {
    judging.cut_out(stripes, sample_with({}), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::StartsWith("No face: photo.png"));
  }
  // What is stated is believed.
  EXPECT_EQ(judging.cut_out(stripes, sample_with({}), FaceFrame()).source, FaceSource::kAligned);
  EXPECT_EQ(judging.cut_out(stripes, sample_with(Eyes{{5, 8}, {14, 8}}), {}).source,
            FaceSource::kEyes);
  EXPECT_EQ(judging.cut_out(tight_crop(1, {22, 18}), sample_with({}), {}).source,
            FaceSource::kTightCrop);
}

TEST(FaceReader, HeadAndShouldersAreNoTightCropHoweverSmall) {
  const SyntheticPhoto photo = small_portrait(2, 8.0);  // 48x40 as the portraits are 240x200
  ASSERT_LT(photo.image.cols(), 40);
  FaceReader reader(FaceReadOptions{});
  const Face face = reader.cut_out(photo.image, sample_with({}), {});
  EXPECT_EQ(face.source, FaceSource::kDetected);
  EXPECT_LT(eye_distance({face.eyes->left, photo.eyes.left}), 2.0);
}

TEST(FaceReader, WallpaperIsNoFace) {
  FaceReader reader(FaceReadOptions{});
  try {
    reader.cut_out(checkerboard(120, 100), sample_with({}), {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("aligned face crop"));
  }
}

TEST(FaceReader, NoFaceIsSaid) {
  FaceReader reader(FaceReadOptions{});
  EXPECT_THROW(reader.cut_out(Image::Constant(100, 100, 0.5), sample_with({}), {}), Error);
}

TEST(FaceReader, OneBadFileDoesNotStopTheOthers) {
  const fs::path folder = fs::path(testing::TempDir()) / "one_bad_file";
  fs::create_directories(folder / "anna");
  write_image(folder / "anna" / "1.png", tight_crop(1, {30, 25}));
  write_file(folder / "anna" / "2.png", "not a picture");
  write_image(folder / "anna" / "3.png", tight_crop(2, {30, 25}));
  FaceReader reader(FaceReadOptions{});
  const LoadedFaces loaded = read_faces(load_dataset(folder), reader);
  EXPECT_EQ(loaded.faces.size(), 2U);
  EXPECT_THAT(loaded.samples, testing::ElementsAre(0, 2));
  ASSERT_EQ(loaded.rejections.size(), 1U);
  EXPECT_THAT(loaded.rejections[0].reason, testing::HasSubstr("is not a JPEG"));
  fs::remove_all(folder);
}

TEST(FaceReader, BadOptions) {
  FaceReadOptions options;
  options.smallest_photo = 0;
  EXPECT_THROW(FaceReader{options}, Error);
}

}  // namespace
}  // namespace longshot
