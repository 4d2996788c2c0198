// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/camera_learner.h"

#include <gtest/gtest.h>

#include "longshot/camera/camera_learning.h"
#include "longshot/core/error.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using CameraLearner = SmallGallery;

TEST_F(CameraLearner, LearnsFromTheCropsOfTheMiddleSize) {
  GalleryStore gallery = make_gallery(4);
  std::vector<Input> crops;
  for (Index i = 0; i < 5; ++i) crops.push_back(probe(i, 1, {12, 10}));
  crops.push_back(probe(6, 1, {24, 20}));
  crops.push_back(probe(7, 1, {7, 6}));
  const CameraReport report = learn_camera_of(gallery, crops);
  EXPECT_EQ(report.camera.size, (Size{12, 10}));
  EXPECT_EQ(report.camera.crops, 5);
  EXPECT_EQ(report.other_sizes, 2);
  EXPECT_EQ(report.camera.tone.size(), 0);  // of so few people
  EXPECT_EQ(size_of(report.mean_crop), (Size{12, 10}));
  EXPECT_GT(camera_sheet(report).cols(), camera_sheet(report).rows());
}

TEST_F(CameraLearner, AStatedSizeTakesAllCrops) {
  GalleryStore gallery = make_gallery(3);
  CameraLearnOptions options;
  options.size = Size{7, 6};
  const CameraReport report =
      learn_camera_of(gallery, {probe(0, 1, {12, 10}), probe(1, 1, {24, 20})}, options);
  EXPECT_EQ(report.camera.crops, 2);
  EXPECT_EQ(report.other_sizes, 0);
  EXPECT_THROW(learn_camera_of(gallery, {}), Error);
}

TEST_F(CameraLearner, FewCropsAndProtectedGalleriesTeachNothingUnasked) {
  const std::filesystem::path path = make_gallery(4).path();
  const Size size{12, 10};
  const Matrix crops = Matrix::Random(size.pixels(), kFewestCameraCrops).cwiseAbs();
  const GalleryStore open(path, GalleryStore::Access::kWrite);
  EXPECT_TRUE(learn_camera(FilePeople(open), size, crops).has_value());
  EXPECT_FALSE(learn_camera(FilePeople(open), size, crops.leftCols(4)).has_value());
  const GalleryStore locked(path, GalleryStore::Access::kRead);
  EXPECT_FALSE(learn_camera(FilePeople(locked), size, crops).has_value());
}

}  // namespace
}  // namespace longshot
