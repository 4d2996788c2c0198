// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/detect.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/test_data.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

// Portraits of one person, and the eyes to about 3 % of their distance: YuNet's, checked by looking
// at the aligned crops.
struct Portrait {
  const char* file;
  Eyes eyes;
};
const Portrait kPortraits[] = {
    {"100032540_1.jpg", {{684, 650}, {918, 663}}},
    {"Aaron_Tippin_0001.jpg", {{61, 69}, {85, 69}}},
    {"Alvaro_Uribe_0028.jpg", {{64, 70}, {87, 68}}},
    {"Alvaro_Uribe_0029.jpg", {{60, 69}, {84, 66}}},
    {"Jose_Luis_Rodriguez_Zapatero_0001.jpg", {{62, 70}, {89, 67}}},
    {"david1.jpg", {{143, 83}, {169, 81}}},
    {"david2.jpg", {{153, 88}, {186, 87}}},
    {"detect.jpg", {{276, 187}, {402, 207}}},
};

void expect_portraits_found(const FaceDetector& detector, const fs::path& photos,
                            double tolerance) {
  for (const Portrait& portrait : kPortraits) {
    const std::vector<DetectedFace> faces = detector.detect(read_image(photos / portrait.file));
    ASSERT_FALSE(faces.empty()) << portrait.file;
    const Eyes& found = faces.front().eyes;
    const double allowed = tolerance * eye_distance(portrait.eyes);
    EXPECT_LT(eye_distance({found.left, portrait.eyes.left}), allowed) << portrait.file;
    EXPECT_LT(eye_distance({found.right, portrait.eyes.right}), allowed) << portrait.file;
  }
}

TEST(Detect, HaarFindsTheMainFaceOfPortraits) {
  const auto photos = test_data("photos");
  if (!photos) GTEST_SKIP() << "skipped: no data";
  expect_portraits_found(*make_haar_detector(), *photos, 0.2);
}

TEST(Detect, YunetFindsTheMainFaceOfPortraits) {
  const auto photos = test_data("photos");
  const auto model = test_data("models/yunet_120x160.onnx");
  if (!photos || !model) GTEST_SKIP() << "skipped: no data";
  expect_portraits_found(*make_yunet_detector(*model), *photos, 0.15);
}

TEST(Detect, YunetFindsATightCrop) {
  const auto face = test_data("yaleb-192x168/yaleB01/yaleB01_P00A+000E+00.pgm");
  const auto model = test_data("models/yunet_120x160.onnx");
  if (!face || !model) GTEST_SKIP() << "skipped: no data";
  EXPECT_EQ(make_yunet_detector(*model)->detect(read_image(*face)).size(), 1U);
}

TEST(Detect, NothingIsFoundWhereNothingIs) {
  const std::unique_ptr<FaceDetector> detector = make_haar_detector();
  EXPECT_TRUE(detector->detect(Image::Constant(200, 200, 0.5)).empty());
  EXPECT_TRUE(detector->detect(Image::Zero(100, 300)).empty());
  EXPECT_TRUE(detector->detect(Image::Constant(5, 5, 0.5)).empty());
  EXPECT_THROW(detector->detect(Image()), Error);
}

TEST(Detect, SeenEyesComeBeforeSize) {
  DetectedFace large;
  large.box = {0, 0, 100, 100};
  DetectedFace small;
  small.box = {0, 0, 50, 50};
  small.eyes_found = true;
  std::vector<DetectedFace> faces = {large, small};
  sort_faces(faces);
  EXPECT_EQ(faces.front().box, small.box);
}

TEST(Detect, UnusableModelsAreRefused) {
  const fs::path text = fs::path(testing::TempDir()) / "not_a_model.onnx";
  write_file(text, "this is no network");
  EXPECT_THROW(make_yunet_detector(text), Error);
  EXPECT_THROW(make_yunet_detector(text.string() + ".none"), Error);
  EXPECT_THROW(make_haar_detector(testing::TempDir()), Error);
  fs::remove(text);
}

}  // namespace
}  // namespace longshot
