// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/image/degrade.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Face good_face() {
  SyntheticPhotoOptions options;
  options.lighting = frontal_lighting();
  Face face;
  face.image = take_photo(make_person(1, 0), options, 0).image;
  face.source = FaceSource::kEyes;
  face.photo_size = {240, 200};
  face.eyes = Eyes{{80.0, 100.0}, {120.0, 100.0}};
  return face;
}

// Refused, first of all for that reason.
void expect_refused(const Face& face, QualityProblem problem, const std::string& words) {
  const Quality quality = assess_quality(face);
  ASSERT_NE(quality.refusal(), nullptr) << words;
  EXPECT_EQ(quality.refusal()->problem, problem) << quality.refusal()->reason;
  EXPECT_THAT(quality.refusal()->reason, HasSubstr(words));
}

TEST(Quality, AGoodPhotoPassesWithoutARemark) {
  const Quality quality = assess_quality(good_face());
  EXPECT_THAT(quality.findings, IsEmpty());
  EXPECT_EQ(quality.refusal(), nullptr);
  EXPECT_DOUBLE_EQ(quality.figures.eye_distance, 40.0);
}

TEST(Quality, FiguresThatAGalleryKeptAreJudgedAsThePhotoWas) {
  Face face = good_face();
  face.image *= 0.1;
  face.faces_in_photo = 2;
  const Quality quality = assess_quality(face);
  std::map<std::string, double> kept = figures_by_name(quality.figures);
  const std::vector<QualityFinding> again = find_problems(figures_from(kept).value(), 17.6);
  ASSERT_EQ(again.size(), quality.findings.size());
  for (std::size_t i = 0; i < again.size(); ++i) {
    EXPECT_EQ(again[i].reason, quality.findings[i].reason);
  }
  EXPECT_STREQ(name_of(again.front().problem), "dark");
  EXPECT_STREQ(name_of(again.back().problem), "several faces");
  kept.erase("sharpness");
  EXPECT_FALSE(figures_from(kept).has_value());
}

TEST(Quality, SyntheticPeopleUnderAllLightsAreRarelyRefused) {
  int refused = 0;
  for (Index i = 0; i < 50; ++i) {
    Face face = good_face();
    face.image = take_photo(make_person(1, i), {}, 1).image;
    refused += assess_quality(face).refusal() != nullptr ? 1 : 0;
  }
  EXPECT_LE(refused, 2);
}

TEST(Quality, TooDark) {
  Face face = good_face();
  face.image *= 0.1;
  expect_refused(face, QualityProblem::kDark, "too dark: its mean brightness is ");
}

TEST(Quality, Overexposed) {
  Face face = good_face();
  face.image = (4.0 * face.image).cwiseMin(1.0);
  expect_refused(face, QualityProblem::kSaturated, "overexposed: ");
}

TEST(Quality, WithoutContrast) {
  Face face = good_face();
  face.image.setConstant(0.5);
  expect_refused(face, QualityProblem::kFlat, "hardly any contrast");
}

TEST(Quality, Blurred) {
  Face face = good_face();
  const Size size = size_of(face.image);
  face.image = degrade(degrade(face.image, {7, 6}), size);
  expect_refused(face, QualityProblem::kBlurred, "is blurred: only ");
}

TEST(Quality, TooSmall) {
  Face face = good_face();
  face.eyes = Eyes{{80.0, 100.0}, {85.0, 100.0}};
  expect_refused(face, QualityProblem::kSmall, "eyes are 5 pixels apart, 16 are needed");
  face.source = FaceSource::kTightCrop;
  face.photo_size = {12, 10};
  expect_refused(face, QualityProblem::kSmall, "eyes are 5 pixels apart");
}

TEST(Quality, SeveralFaces) {
  Face face = good_face();
  face.faces_in_photo = 3;
  const Quality bystanders = assess_quality(face);
  ASSERT_EQ(bystanders.findings.size(), 1U);
  EXPECT_EQ(bystanders.findings[0].problem, QualityProblem::kSeveralFaces);
  EXPECT_EQ(bystanders.refusal(), nullptr);
  face.doubtful = true;
  expect_refused(face, QualityProblem::kSeveralFaces, "shows 3 faces");
}

TEST(Quality, BetweenTheLimitsIsAWarning) {
  Face face = good_face();
  face.eyes = Eyes{{80.0, 100.0}, {92.0, 100.0}};
  const Quality quality = assess_quality(face);
  ASSERT_EQ(quality.findings.size(), 1U);
  EXPECT_FALSE(quality.findings[0].refused);
  EXPECT_EQ(quality.refusal(), nullptr);
}

TEST(Quality, LimitsOutOfOrderAreRefused) {
  QualityOptions options;
  options.darkest = {0.5, 0.1};
  EXPECT_THROW(assess_quality(good_face(), options), Error);
  options = {};
  options.saturated = {0.1, 0.5};
  EXPECT_THROW(options.check(), Error);
}

}  // namespace
}  // namespace longshot
