// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_photo.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

// Frontal light and nothing left to chance but the background.
SyntheticPhotoOptions still_life() {
  SyntheticPhotoOptions options;
  options.lighting = frontal_lighting();
  options.pose = options.alignment = options.expression = options.exposure = options.noise = 0.0;
  return options;
}

double correlation(const Image& a, const Image& b) {
  const Vector x = a.reshaped().array() - a.mean();
  const Vector y = b.reshaped().array() - b.mean();
  return x.dot(y) / (x.norm() * y.norm());
}

// Zero mean, unit norm.
Matrix normalized(Matrix photos) {
  for (auto column : photos.colwise()) {
    column.array() -= column.mean();
    column.normalize();
  }
  return photos;
}

// Percentage of probes (pixels x n) whose nearest column of the gallery is their own.
double rank_one(const Matrix& gallery, const Matrix& probes) {
  const Degrader small({OperatorKind::kArea}, {48, 40}, {7, 6});
  const Matrix similarity = normalized(small.apply_columns(gallery)).transpose() *
                            normalized(small.apply_columns(probes));
  Index right = 0;
  for (Index i = 0; i < similarity.cols(); ++i) {
    Index nearest = 0;
    similarity.col(i).maxCoeff(&nearest);
    if (nearest == i) ++right;
  }
  return 100.0 * static_cast<double>(right) / static_cast<double>(similarity.cols());
}

TEST(SyntheticPhoto, IsTheSameForAnyNumberOfThreads) {
  const SyntheticPhotoOptions options;
  set_thread_count(1);
  const Matrix one = take_photos(9, 100, 40, options, 3);
  set_thread_count(3);
  const Matrix three = take_photos(9, 100, 40, options, 3);
  set_thread_count(0);
  EXPECT_EQ(one, three);
  const SyntheticPhoto alone = take_photo(make_person(9, 107), options, 3);
  EXPECT_EQ(alone.image.reshaped(), one.col(7));
}

TEST(SyntheticPhoto, DiffersFromPhotoToPhotoAndPersonToPerson) {
  const SyntheticPhotoOptions options;
  const SyntheticPerson person = make_person(2, 0);
  const Image first = take_photo(person, options, 0).image;
  EXPECT_EQ(first, take_photo(person, options, 0).image);
  EXPECT_NE(first, take_photo(person, options, 1).image);
  EXPECT_NE(first, take_photo(make_person(2, 1), options, 0).image);
}

TEST(SyntheticPhoto, ValuesAreInRangeUnderHarshLightAndNoise) {
  SyntheticPhotoOptions options;
  options.noise = 0.3;
  options.exposure = 1.0;
  const Matrix photos = take_photos(1, 0, 50, options, 0);
  EXPECT_GE(photos.minCoeff(), 0.0);
  EXPECT_LE(photos.maxCoeff(), 1.0);
  EXPECT_TRUE(photos.allFinite());
}

TEST(SyntheticPhoto, IsNeitherBlackNorWhite) {
  const Matrix photos = take_photos(1, 0, 200, {}, 0);
  const Eigen::RowVectorXd means = photos.colwise().mean();
  EXPECT_GT(means.minCoeff(), 0.08);
  EXPECT_LT(means.maxCoeff(), 0.85);
}

TEST(SyntheticPhoto, EyesAreWhereTheFrameHasThem) {
  const SyntheticPhoto photo = take_photo(make_person(1, 0), still_life(), 0);
  EXPECT_NEAR(photo.eyes.left.x, 10.0, 1e-9);
  EXPECT_NEAR(photo.eyes.left.y, 16.5, 1e-9);
  EXPECT_NEAR(photo.eyes.right.x, 30.0, 1e-9);
  EXPECT_NEAR(photo.eyes.right.y, 16.5, 1e-9);
}

TEST(SyntheticPhoto, IrisesAreAtTheEyes) {
  SyntheticPhotoOptions options = still_life();
  options.size = {240, 200};
  int dark = 0;
  for (Index i = 0; i < 20; ++i) {
    const SyntheticPhoto photo = take_photo(make_person(6, i), options, 0);
    for (const Point& eye : {photo.eyes.left, photo.eyes.right}) {
      const auto r = static_cast<Index>(eye.y);
      const auto c = static_cast<Index>(eye.x);
      // Darker in the middle than a quarter of the eye distance below, on the cheek.
      if (photo.image.block<5, 5>(r - 2, c - 2).mean() < photo.image(r + 30, c)) ++dark;
    }
  }
  EXPECT_GE(dark, 38);
}

TEST(SyntheticPhoto, AlignmentByTheReportedEyesUndoesThePlacement) {
  SyntheticPhotoOptions free = still_life();
  free.size = {300, 260};
  free.frame.eyes = {{0.35, 0.45}, {0.65, 0.45}};
  free.frame.aspect = 300.0 / 260.0;
  free.shift = 0.2;
  free.roll = 10.0;
  free.scale = 0.1;
  for (Index i = 0; i < 10; ++i) {
    const SyntheticPerson person = make_person(8, i);
    const SyntheticPhoto photo = take_photo(person, free, 5);
    // Larger than the crop that is compared, so that the finest detail does not count.
    SyntheticPhotoOptions crop = still_life();
    crop.size = {144, 120};
    const Image expected =
        degrade(take_photo(person, crop, 5).image, {48, 40}, {OperatorKind::kArea});
    const Image aligned = align_face(photo.image, photo.eyes, crop.frame, {48, 40});
    EXPECT_GT(correlation(aligned.middleCols(6, 28), expected.middleCols(6, 28)), 0.97) << i;
  }
}

TEST(SyntheticPhoto, AlignmentErrorHasTheDeviationAskedFor) {
  SyntheticPhotoOptions options = still_life();
  options.alignment = 0.05;
  double squares = 0.0;
  for (Index i = 0; i < 300; ++i) {
    const Eyes eyes = take_photo(make_person(3, i), options, 0).eyes;
    squares += std::pow(eyes.left.x - 10.0, 2) + std::pow(eyes.left.y - 16.5, 2) +
               std::pow(eyes.right.x - 30.0, 2) + std::pow(eyes.right.y - 16.5, 2);
  }
  EXPECT_NEAR(std::sqrt(squares / 1200.0) / 20.0, 0.05, 0.006);
}

TEST(SyntheticPhoto, LightFromTheRightBrightensTheRightHalf) {
  SyntheticPhotoOptions options = still_life();
  options.lighting = SyntheticLighting{{{50, 0, 1}}, 0.1};
  for (Index i = 0; i < 10; ++i) {
    const SyntheticPhoto photo = take_photo(make_person(5, i), options, 0);
    EXPECT_GT(photo.image.middleCols(20, 12).mean(), 1.2 * photo.image.middleCols(8, 12).mean());
    EXPECT_EQ(photo.lighting.lights.front().azimuth, 50.0);
  }
}

TEST(SyntheticPhoto, TheSameFaceAtAnotherSizeIsTheSameFace) {
  SyntheticPhotoOptions large = still_life();
  large.size = {240, 200};
  const SyntheticPerson person = make_person(1, 2);
  const Image small = take_photo(person, still_life(), 0).image;
  const Image reduced =
      degrade(take_photo(person, large, 0).image, {48, 40}, {OperatorKind::kArea});
  EXPECT_GT(correlation(small, reduced), 0.97);
}

TEST(SyntheticPhoto, ASqueezedCropShowsTheSamePart) {
  SyntheticPhotoOptions square = still_life();
  square.size = {40, 40};
  const SyntheticPerson person = make_person(1, 4);
  const SyntheticPhoto photo = take_photo(person, square, 0);
  EXPECT_NEAR(photo.eyes.left.y, 40.0 * 16.5 / 48.0, 1e-9);
  const Image expected =
      degrade(take_photo(person, still_life(), 0).image, {40, 40}, {OperatorKind::kArea});
  EXPECT_GT(correlation(photo.image, expected), 0.97);
}

// One frontal photo per person and 100 people: nearest neighbour at 7x6 must be neither hopeless
// nor good enough under other lights, and good under the same light.
TEST(SyntheticPhoto, RecognitionIsHardUnderOtherLightsAndEasyUnderTheSame) {
  SyntheticPhotoOptions frontal;
  frontal.lighting = frontal_lighting();
  SyntheticPhotoOptions quiet = frontal;
  quiet.noise = 0.002;
  double same = 0.0;
  double other = 0.0;
  for (const std::uint64_t seed : {1, 2}) {
    const Matrix gallery = take_photos(seed, 0, 100, frontal, 0);
    same += 0.5 * rank_one(gallery, take_photos(seed, 0, 100, quiet, 1));
    other += 0.5 * rank_one(gallery, take_photos(seed, 0, 100, {}, 2));
  }
  EXPECT_GT(same, 70.0);
  EXPECT_GT(other, 10.0);
  EXPECT_LT(other, 50.0);
}

TEST(SyntheticPhoto, RefusesBadOptions) {
  const auto refuses = [](auto change) {
    SyntheticPhotoOptions options;
    change(options);
    EXPECT_THROW(take_photo(SyntheticPerson{}, options, 0), Error);
  };
  refuses([](auto& o) { o.size = {0, 40}; });
  refuses([](auto& o) { o.size = {24, 19}; });
  refuses([](auto& o) { o.size = {5000, 4100}; });
  refuses([](auto& o) { o.size = {48, 80}; });
  refuses([](auto& o) { o.frame.eyes.left.x = 0.9; });
  refuses([](auto& o) { o.lighting = SyntheticLighting{{}, 0.0}; });
  refuses([](auto& o) { o.light_spread = 91.0; });
  refuses([](auto& o) { o.pose = -1.0; });
  refuses([](auto& o) { o.alignment = 0.5; });
  refuses([](auto& o) { o.shift = 2.0; });
  refuses([](auto& o) { o.roll = 90.0; });
  refuses([](auto& o) { o.scale = 1.0; });
  refuses([](auto& o) { o.expression = 3.0; });
  refuses([](auto& o) { o.exposure = -0.1; });
  refuses([](auto& o) { o.noise = std::numeric_limits<double>::quiet_NaN(); });
  EXPECT_THROW(take_photos(1, -1, 5, {}, 0), Error);
}

}  // namespace
}  // namespace longshot
