// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/face/synthetic_scene_test.h"

namespace longshot {
namespace {

v0::Picture picture_of(const Image& image) {
  std::vector<std::uint8_t> grey;
  for (Index r = 0; r < image.rows(); ++r) {
    for (Index c = 0; c < image.cols(); ++c) {
      grey.push_back(static_cast<std::uint8_t>(std::lround(255.0 * image(r, c))));
    }
  }
  return v0::Picture::grey(grey.data(), door::outer(size_of(image)));
}

TEST(Faces, AreFoundAndCutOutAtTheirOwnSize) {
  std::vector<Eyes> eyes;
  const SyntheticPhoto scene =
      side_by_side({small_portrait(2, 12.0), small_portrait(4, 8.0)}, 6, eyes);
  const v0::Picture picture = picture_of(scene.image);
  const std::vector<v0::FoundFace> faces = v0::find_faces(picture);
  ASSERT_EQ(faces.size(), 2U);
  EXPECT_NEAR(faces[0].eyes.left.x, eyes[0].left.x, 3.0);
  const std::vector<v0::Plane> crops = v0::cut_out_faces(picture, faces);
  ASSERT_EQ(crops.size(), 2U);
  EXPECT_NEAR(static_cast<double>(crops[0].size.cols), 24.0, 4.0);
  EXPECT_NEAR(static_cast<double>(crops[1].size.cols), 16.0, 4.0);
  EXPECT_EQ(v0::cut_out_faces(picture, faces, {7, 6})[0].size, (v0::Size{7, 6}));
  EXPECT_NEAR(v0::eyes_in_crop({48, 40}).left.x, 10.0, 1e-9);
}

TEST(Faces, WhatCannotBeIsAnError) {
  EXPECT_THROW(v0::find_faces(v0::Picture::unusable("It is gone.")), Error);
  v0::FaceOptions options;
  options.least_eye_distance = 0.0;
  EXPECT_THROW(v0::find_faces(picture_of(Image::Constant(50, 50, 0.5)), options), Error);
  EXPECT_TRUE(v0::find_faces(picture_of(Image::Constant(50, 50, 0.5))).empty());
}

}  // namespace
}  // namespace longshot
