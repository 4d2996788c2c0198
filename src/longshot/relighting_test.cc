// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/crop_test.h"  // first: it keeps the two faces apart
#include "longshot/image/degrade.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

Image frontal_face() {
  SyntheticPhotoOptions options;
  options.lighting = frontal_lighting();
  return take_photo(make_person(3, 0), options, 0).image;
}

double mean_of_columns(const v0::Plane& plane, std::ptrdiff_t first, std::ptrdiff_t last) {
  double sum = 0.0;
  for (std::ptrdiff_t row = 0; row < plane.size.rows; ++row) {
    for (std::ptrdiff_t col = first; col < last; ++col) sum += plane.at(row, col);
  }
  return sum / static_cast<double>(plane.size.rows * (last - first));
}

TEST(Relight, LightFromTheRightBrightensTheRight) {
  v0::RelightRequest request;
  request.lights = {{60.0, 0.0}, {-60.0, 0.0}};
  const v0::Relit relit = v0::relight(crop_of(frontal_face()), request);
  ASSERT_EQ(relit.images.size(), 2U);
  EXPECT_EQ(relit.lights, request.lights);
  EXPECT_EQ(relit.face.size, (v0::Size{48, 40}));
  EXPECT_GT(mean_of_columns(relit.images[0], 20, 40), mean_of_columns(relit.images[0], 0, 20));
  EXPECT_LT(mean_of_columns(relit.images[1], 20, 40), mean_of_columns(relit.images[1], 0, 20));
}

TEST(Relight, ShowsNineLightsUnlessToldWhich) {
  EXPECT_EQ(v0::relight(crop_of(frontal_face())).images.size(), 9U);
}

TEST(Degrade, IsTheLibrarysOwn) {
  const Image face = frontal_face();
  const v0::Plane small = v0::degrade(crop_of(face), {7, 6});
  ASSERT_EQ(small.size, (v0::Size{7, 6}));
  const Image expected = degrade(door::image_of(crop_of(face)), {7, 6});
  EXPECT_NEAR(small.at(3, 2), expected(3, 2), 1e-6);
  EXPECT_THROW(v0::degrade(crop_of(face), {7, 6}, {"median"}), Error);
}

TEST(Degrade, NoiseIsDrawnFromItsSeed) {
  const v0::Picture crop = crop_of(frontal_face());
  const v0::Plane first = v0::degrade(crop, {7, 6}, {"area", 5.0, 1});
  EXPECT_EQ(first.values, v0::degrade(crop, {7, 6}, {"area", 5.0, 1}).values);
  EXPECT_NE(first.values, v0::degrade(crop, {7, 6}, {"area", 5.0, 2}).values);
}

}  // namespace
}  // namespace longshot
