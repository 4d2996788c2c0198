// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_finder.h"

#include <cmath>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/core/test_data.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/cv_mat.h"
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

bool is_near(const Eyes& found, const Eyes& real, double tolerance) {
  const double allowed = tolerance * eye_distance(real);
  return eye_distance({found.left, real.left}) < allowed &&
         eye_distance({found.right, real.right}) < allowed;
}

void expect_portraits_found(const FaceFinder& finder, const fs::path& photos, double tolerance) {
  for (const Portrait& portrait : kPortraits) {
    const Image photo = read_image(photos / portrait.file);
    FindOptions options;
    options.which = WhichFaces::kMain;
    const std::vector<FoundFace> faces = finder.find(photo, options);
    ASSERT_FALSE(faces.empty()) << portrait.file;
    EXPECT_TRUE(is_near(main_face(faces, size_of(photo)).face.eyes, portrait.eyes, tolerance))
        << portrait.file;
  }
}

TEST(FaceFinder, HaarFindsTheMainFaceOfPortraits) {
  const auto photos = test_data("photos");
  if (!photos) GTEST_SKIP() << "skipped: no data";
  expect_portraits_found(*shared_finder({}), *photos, 0.2);
}

TEST(FaceFinder, YunetFindsTheMainFaceOfPortraits) {
  const auto photos = test_data("photos");
  const auto model = test_data("models/yunet_120x160.onnx");
  if (!photos || !model) GTEST_SKIP() << "skipped: no data";
  expect_portraits_found(*shared_finder(*model), *photos, 0.2);
}

TEST(FaceFinder, ATightCropIsFound) {
  const auto face = test_data("yaleb-192x168/yaleB01/yaleB01_P00A+000E+00.pgm");
  const auto model = test_data("models/yunet_120x160.onnx");
  if (!face || !model) GTEST_SKIP() << "skipped: no data";
  for (const fs::path& detector : {fs::path(), *model}) {
    EXPECT_EQ(shared_finder(detector)->find(read_image(*face)).size(), 1U) << detector;
  }
}

// Sees nothing, but counts how often it is asked.
class BlindDetector final : public FaceDetector {
 public:
  explicit BlindDetector(int& asked) : asked_(asked) {}
  std::vector<FaceProposal> propose(const cv::Mat&, BoxRange, bool) const override {
    ++asked_;
    return {};
  }
  double least_width() const override { return 24.0; }
  std::string name() const override { return "blind"; }

 private:
  int& asked_;
};

TEST(FaceFinder, WhereOneDetectorSeesNothingAnotherIsAsked) {
  int asked = 0;
  std::vector<Eyes> eyes;
  const SyntheticPhoto photo =
      side_by_side({small_portrait(1, 12.0), small_portrait(2, 12.0)}, 6, eyes);
  ASSERT_TRUE(FaceFinder(std::make_unique<BlindDetector>(asked)).find(photo.image).empty());
  const FaceFinder both(std::make_unique<BlindDetector>(asked), make_haar_detector());
  EXPECT_EQ(both.find(photo.image).size(), 2U);
  FindOptions once;
  once.again = false;
  EXPECT_TRUE(both.find(photo.image, once).empty());
  // The first one's word is enough where it finds somebody.
  asked = 0;
  FaceFinder(make_haar_detector(), std::make_unique<BlindDetector>(asked)).find(photo.image);
  EXPECT_EQ(asked, 0);
}

// The photo turned about its middle.
SyntheticPhoto tilted(const SyntheticPhoto& photo, double degrees) {
  const cv::Mat grey = to_cv_bytes(photo.image);
  const cv::Point2f middle(0.5F * static_cast<float>(grey.cols),
                           0.5F * static_cast<float>(grey.rows));
  const cv::Matx23d turn(cv::getRotationMatrix2D(middle, degrees, 1.0));
  cv::Mat turned;
  cv::warpAffine(grey, turned, turn, grey.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  SyntheticPhoto result = photo;
  result.image = to_image(turned) / 255.0;
  for (Point* eye : {&result.eyes.left, &result.eyes.right}) {
    *eye = {turn(0, 0) * eye->x + turn(0, 1) * eye->y + turn(0, 2),
            turn(1, 0) * eye->x + turn(1, 1) * eye->y + turn(1, 2)};
  }
  return result;
}

// Knows no other way to look harder.
class SingleCascade final : public FaceDetector {
 public:
  std::vector<FaceProposal> propose(const cv::Mat& grey, BoxRange widths,
                                    bool /*again*/) const override {
    return cascade_->propose(grey, widths, false);
  }
  double least_width() const override { return cascade_->least_width(); }
  std::string name() const override { return "single"; }

 private:
  std::unique_ptr<FaceDetector> cascade_ = make_haar_detector();
};

TEST(FaceFinder, TiltedHeadsAreFoundWhereNobodyElseIs) {
  const SyntheticPhoto photo = tilted(small_portrait(2, 12.0), 30.0);
  const FaceFinder finder(std::make_unique<SingleCascade>());
  const std::vector<FoundFace> faces = finder.find(photo.image);
  ASSERT_EQ(faces.size(), 1U);
  EXPECT_TRUE(is_near(faces[0].eyes, photo.eyes, 0.3));
  FindOptions once;
  once.again = false;
  EXPECT_TRUE(finder.find(photo.image, once).empty());
}

TEST(FaceFinder, SmallFacesOfASceneAreAllFound) {
  std::vector<Eyes> eyes;
  const SyntheticPhoto scene = side_by_side(
      {small_portrait(1, 5.0), small_portrait(2, 12.0), small_portrait(4, 8.0)}, 6, eyes);
  const std::vector<FoundFace> faces = shared_finder({})->find(scene.image);
  ASSERT_EQ(faces.size(), 3U);
  const std::size_t by_size[] = {1, 2, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(is_near(faces[i].eyes, eyes[by_size[i]], 0.3)) << i;
    EXPECT_GE(faces[i].likeness, 0.5);
    EXPECT_GT(faces[i].quality, 0.0);
    EXPECT_LT(faces[i].quality, 1.0);
  }
  FindOptions large;
  large.least_eye_distance = 10.0;
  EXPECT_EQ(shared_finder({})->find(scene.image, large).size(), 1U);
}

TEST(FaceFinder, TheOrderOfThreadsChangesNothing) {
  std::vector<Eyes> eyes;
  const SyntheticPhoto scene =
      side_by_side({small_portrait(6, 6.0), small_portrait(7, 9.0)}, 6, eyes);
  EXPECT_EQ(shared_finder({})->find(scene.image), shared_finder({})->find(scene.image));
}

TEST(FaceFinder, NothingIsFoundWhereNothingIs) {
  const FaceFinder& finder = *shared_finder({});
  Random random(1);
  const Image noise = Image::NullaryExpr(150, 180, [&] { return 0.5 + 0.1 * random.normal(); });
  EXPECT_TRUE(finder.find(noise).empty());
  EXPECT_TRUE(finder.find(Image::Constant(200, 200, 0.5)).empty());
  EXPECT_TRUE(finder.find(Image::Zero(100, 300)).empty());
  EXPECT_TRUE(finder.find(Image::Constant(5, 5, 0.5)).empty());
  EXPECT_TRUE(finder.find(Image::Constant(1, 1, 0.5)).empty());
  EXPECT_THROW(finder.find(Image()), Error);
}

TEST(FaceFinder, BadOptionsAreRefused) {
  FindOptions options;
  options.least_eye_distance = 1.0;
  EXPECT_THROW(options.check(), Error);
  options = {};
  options.least_likeness = 1.5;
  EXPECT_THROW(options.check(), Error);
}

FoundFace face_at(double x, double y, double width) {
  FoundFace face;
  face.box = {x, y, width, width};
  face.likeness = 1.0;
  return face;
}

TEST(FaceFinder, TheMainFaceIsLargeAndInTheMiddle) {
  const Size photo = {100, 100};
  const FoundFace middle = face_at(35, 35, 30);
  MainFace main = main_face({middle, face_at(80, 80, 15)}, photo);
  EXPECT_EQ(main.face, middle);
  EXPECT_FALSE(main.doubtful);
  // A bystander at the corner may be a little larger.
  main = main_face({face_at(68, 68, 32), middle}, photo);
  EXPECT_EQ(main.face, middle);
  // Two beside each other, as large: nobody knows.
  EXPECT_TRUE(main_face({face_at(15, 35, 30), face_at(55, 35, 29)}, photo).doubtful);
  EXPECT_FALSE(main_face({middle}, photo).doubtful);
}

TEST(FaceFinder, QualityFallsWithEachOfItsParts) {
  const double good = face_quality(1.0, 20.0, 0.2, 0.05);
  EXPECT_GT(good, 0.5);
  EXPECT_LT(good, 1.0);
  EXPECT_LT(face_quality(0.6, 20.0, 0.2, 0.05), good);
  EXPECT_LT(face_quality(1.0, 4.0, 0.2, 0.05), good);
  EXPECT_LT(face_quality(1.0, 20.0, 0.02, 0.05), good);
  EXPECT_LT(face_quality(1.0, 20.0, 0.2, 0.3), good);
}

}  // namespace
}  // namespace longshot
