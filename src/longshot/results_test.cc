// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/door.h"

namespace longshot {
namespace {

using nlohmann::json;

v0::Answers two_answers() {
  v0::Answer found;
  found.name = "crops/a,b.png";
  found.size = {7, 6};
  found.known = true;
  found.candidates = {{"Ada", 0.98765432, 0.25}, {"Bob", 0.01, 0.5}};
  found.threshold = 0.9;
  found.margin = 0.9487;
  found.fpir = 0.01;
  found.people = 2;
  v0::Answer bad;
  bad.name = "crops/\xFF.png";  // not UTF-8
  bad.error = "Nothing can be seen on it.";
  return {{found, bad}, {}};
}

TEST(Results, AnswersAsJson) {
  const json document = json::parse(v0::to_json(two_answers()));
  EXPECT_FALSE(document.contains("cameras"));
  ASSERT_EQ(document["probes"].size(), 2U);
  const json& found = document["probes"][0];
  EXPECT_EQ(found["path"], "crops/a,b.png");
  EXPECT_EQ(found["size"], "7x6");
  EXPECT_EQ(found["decision"], "known");
  EXPECT_EQ(found["candidates"][0]["score"], 0.9877);
  EXPECT_EQ(found["candidates"][0]["likelihood_ratio"], 80.0);
  EXPECT_EQ(found["candidates"][1]["person"], "Bob");
  EXPECT_EQ(found["threshold"], 0.9);
  EXPECT_EQ(found["margin"], 0.9487);
  EXPECT_EQ(found["fpir"], 0.01);
  EXPECT_EQ(found["people"], 2);
  EXPECT_TRUE(found["error"].is_null());
  const json& bad = document["probes"][1];
  EXPECT_TRUE(bad["size"].is_null());
  EXPECT_TRUE(bad["decision"].is_null());
  EXPECT_EQ(bad["error"], "Nothing can be seen on it.");
}

TEST(Results, CamerasOfAnswersComeWithoutTheirMeanFace) {
  Camera camera;
  camera.size = {7, 6};
  camera.crops = 40;
  camera.tone = Vector::Constant(42, 0.1);
  v0::Answers answers = two_answers();
  answers.cameras = {door::outer(camera)};
  const json shown = json::parse(v0::to_json(answers))["cameras"];
  ASSERT_EQ(shown.size(), 1U);
  EXPECT_EQ(shown[0]["crops"], 40);
  EXPECT_FALSE(shown[0].contains("tone"));
  EXPECT_FALSE(shown[0].contains("version"));
}

TEST(Results, AnswersAsCsv) {
  EXPECT_EQ(v0::to_csv(two_answers()),
            "path,size,decision,rank,person,score,residual,error,likelihood_ratio,threshold,margin,"
            "box_x,box_y,box_w,box_h\n"
            "\"crops/a,b.png\",7x6,known,1,Ada,0.9877,0.25,,80,0.9000,0.9487,,,,\n"
            "\"crops/a,b.png\",7x6,known,2,Bob,0.0100,0.5,,0.0101,0.9000,,,,,\n"
            "crops/\xFF.png,,,,,,,Nothing can be seen on it.,,,,,,,\n");
}

TEST(Results, AFaceThatWasFoundHasAPlace) {
  v0::Answers answers = two_answers();
  answers.answers.resize(1);
  answers.answers[0].face =
      v0::FoundFace{{1.0, 2.0, 30.0, 30.0}, {{10, 14}, {21, 14}}, 0.1, 0.9, 0.5};
  const json probe = json::parse(v0::to_json(answers))["probes"][0];
  EXPECT_EQ(probe["source"], "crops/a,b.png");
  EXPECT_EQ(probe["frame"], 0);
  EXPECT_EQ(probe["box"], json({1.0, 2.0, 30.0, 30.0}));
  EXPECT_EQ(probe["eyes"], json({10.0, 14.0, 21.0, 14.0}));
  EXPECT_EQ(probe["eye_error"], 0.1);
  EXPECT_EQ(probe["quality"], 0.5);
  EXPECT_THAT(v0::to_csv(answers),
              testing::HasSubstr("Ada,0.9877,0.25,,80,0.9000,0.9487,1.00,2.00,30.00,30.00\n"));
}

TEST(Results, LikelihoodRatiosEndWhereNothingIsKnown) {
  EXPECT_DOUBLE_EQ(v0::likelihood_ratio(0.5), 1.0);
  EXPECT_NEAR(v0::likelihood_ratio(0.99), 99.0, 1e-9);
  EXPECT_EQ(v0::likelihood_ratio(1.0), 1e9);
  EXPECT_EQ(v0::likelihood_ratio(0.0), 1e-9);
}

TEST(Results, VerificationAsJson) {
  v0::Verification verification;
  verification.person = "Ada";
  verification.score = 0.123456;
  verification.size = {12, 10};
  verification.threshold = 0.99;
  verification.margin = -std::numeric_limits<double>::infinity();
  verification.fmr = 0.001;
  EXPECT_EQ(json::parse(v0::to_json(verification)), json({{"person", "Ada"},
                                                          {"decision", "no match"},
                                                          {"score", 0.1235},
                                                          {"likelihood_ratio", 0.141},
                                                          {"threshold", 0.99},
                                                          {"margin", nullptr},
                                                          {"fmr", 0.001},
                                                          {"size", "12x10"}}));
  verification.match = true;
  EXPECT_EQ(json::parse(v0::to_json(verification))["decision"], "match");
}

TEST(Results, PeopleAndPhotosAsJson) {
  const v0::Person ada{"Ada", 1, "2026-01-31T12:00:00Z"};
  EXPECT_EQ(
      json::parse(v0::to_json(std::vector<v0::Person>{ada})),
      json({{"people",
             json::array(
                 {{{"name", "Ada"}, {"photos", 1}, {"enrolled_at", "2026-01-31T12:00:00Z"}}})}}));
  v0::Photo photo;
  photo.id = 3;
  photo.size = {48, 40};
  json shown = json::parse(v0::to_json(ada, {photo}));
  EXPECT_EQ(shown["name"], "Ada");
  EXPECT_EQ(shown["photos"][0]["id"], 3);
  EXPECT_EQ(shown["photos"][0]["size"], "48x40");
  EXPECT_TRUE(shown["photos"][0]["eyes"].is_null());
  photo.eyes = v0::Eyes{{1.0, 2.0}, {3.0, 4.0}};
  shown = json::parse(v0::to_json(ada, {photo}));
  EXPECT_EQ(shown["photos"][0]["eyes"], json({1.0, 2.0, 3.0, 4.0}));
}

}  // namespace
}  // namespace longshot
