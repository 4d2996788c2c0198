// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_pictures.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/evaluate/base64.h"
#include "longshot/evaluate/small_report_test.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"

namespace longshot {
namespace {

using Json = nlohmann::ordered_json;

class ReportPictures : public SmallReport {};

TEST_F(ReportPictures, AreWhatAPageCanShow) {
  const Image image = face_in_light(0.5);
  EXPECT_EQ(picture_uri(image), "data:image/png;base64," + base64(encode_image(image, ".png")));
}

TEST_F(ReportPictures, ExamplesShowAPhotoAndAProbeOfOnePerson) {
  const Json examples = example_pictures(input());
  ASSERT_EQ(examples.size(), 2U);
  EXPECT_EQ(examples[0]["subject"], "anna");
  EXPECT_EQ(examples[0]["gallery"], picture_uri(experiment_.faces[0]));
  EXPECT_EQ(examples[0]["probe"], picture_uri(experiment_.faces[2]));
  ASSERT_EQ(examples[0]["low"].size(), 2U);
  EXPECT_EQ(examples[0]["low"][0]["size"], "7x6") << "the largest first";
  EXPECT_EQ(examples[0]["low"][1]["size"], "4x3");
  // Each pixel of 7x6 as a block of 13x13.
  const Image low = degrade(degrade(experiment_.faces[2], {7, 6}), {91, 78}, {OperatorKind::kArea});
  EXPECT_EQ(examples[0]["low"][0]["picture"], picture_uri(low));
}

TEST_F(ReportPictures, RelitFacesStandInTheOrderOfTheirLights) {
  ShownRelighting& shown = experiment_.relightings[0];
  shown.lights = {{30.0, 0.0}, {-40.0, 0.0}};
  shown.images = {face_in_light(0.75), face_in_light(0.25)};
  const Json figure = relighting_pictures(input());
  ASSERT_EQ(figure.size(), 1U);
  EXPECT_EQ(figure[0]["azimuth"], -20.0);
  EXPECT_EQ(figure[0]["lights"], Json({{-40.0, 0.0}, {30.0, 0.0}}));
  const Json& row = figure[0]["rows"][0];
  EXPECT_EQ(row["label"], "12x10");
  EXPECT_EQ(row["pixelated"], false);
  ASSERT_EQ(row["pictures"].size(), 4U) << "photo, albedo, two lights";
  EXPECT_EQ(row["pictures"][2], picture_uri(face_in_light(0.25)));
  EXPECT_EQ(row["pictures"][3], picture_uri(face_in_light(0.75)));
  EXPECT_EQ(figure[0]["rows"][1]["pixelated"], true);
}

TEST_F(ReportPictures, ManyLightsAreThinnedOut) {
  ShownRelighting& shown = experiment_.relightings[0];
  shown.lights.clear();
  for (int i = 0; i < 28; ++i) shown.lights.push_back({static_cast<double>(i), 0.0});
  shown.images.assign(28, face_in_light(0.5));
  EXPECT_EQ(relighting_pictures(input())[0]["lights"].size(), 10U);
}

TEST_F(ReportPictures, ConfusionsShowWhoWasTakenForWhom) {
  const Json list = confusion_pictures(input(), experiment_.results[0]);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0]["subject"], kHostile);
  EXPECT_EQ(list[0]["chosen"], "anna");
  EXPECT_EQ(list[0]["margin"], 0.25);
  EXPECT_EQ(list[0]["true_picture"], picture_uri(experiment_.faces[1]));
  EXPECT_EQ(list[0]["chosen_picture"], picture_uri(experiment_.faces[0]));
  EXPECT_TRUE(confusion_pictures(input(), experiment_.results[1]).empty());
}

}  // namespace
}  // namespace longshot
