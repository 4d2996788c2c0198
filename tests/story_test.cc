// SPDX-License-Identifier: Apache-2.0
// The five lines of the README, with the real program.
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/core/test_data.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr Index kPeople = 30;

std::string name_of(Index person) {
  return fmt::format("person{:02}", person);
}

// One sharp photo of each person in photos/, one 12x10 crop in crops/, all cropped alike.
void write_synthetic(const ScratchFolder& folder) {
  fs::create_directories(folder / "photos");
  fs::create_directories(folder / "crops");
  SyntheticPhotoOptions options;
  options.light_spread = 30.0;
  const Matrix photos = take_photos(8, 0, kPeople + 1, options, 0);
  const Matrix probes = take_photos(8, 0, kPeople + 1, options, 1);
  const auto face = [&](const Matrix& images, Index i) -> Image {
    return images.col(i).reshaped(options.size.rows, options.size.cols);
  };
  for (Index i = 0; i < kPeople; ++i) {
    write_image(folder / ("photos/" + name_of(i) + ".png"), face(photos, i));
    write_image(folder / ("crops/" + name_of(i) + ".png"), degrade(face(probes, i), {12, 10}));
  }
  write_image(folder / "carla.png", face(photos, kPeople));
  const Eyes eyes = FaceFrame().eyes;
  write_file(folder / "photos/dataset.json",
             fmt::format("{{\"aligned\": true, \"eyes\": [{}, {}, {}, {}]}}", eyes.left.x,
                         eyes.left.y, eyes.right.x, eyes.right.y));
}

// Percent of the probes whose first candidate is the person that their file is named after.
double first_candidate_rate(const nlohmann::json& answer) {
  double right = 0.0;
  for (const auto& probe : answer["probes"]) {
    const std::string truth = fs::path(probe["path"].get<std::string>()).stem().string();
    right += probe["candidates"].at(0)["person"] == truth.substr(0, truth.find('_')) ? 1.0 : 0.0;
  }
  return 100.0 * right / static_cast<double>(answer["probes"].size());
}

TEST(Story, EnrolIdentifyAddRemoveVerify) {
  const ScratchFolder folder;
  write_synthetic(folder);
  const std::string gallery = " --gallery " + (folder / "people.gallery").string();
  const ProgramResult enrolled =
      run_longshot("--quiet enroll --force " + (folder / "photos").string() + gallery);
  ASSERT_EQ(enrolled.exit_code, 0) << enrolled.err;

  const std::string csv = (folder / "answers.csv").string();
  const std::string crops = (folder / "crops").string();
  const ProgramResult identified =
      run_longshot("--quiet identify " + crops + gallery + " --csv " + csv + " --json");
  ASSERT_EQ(identified.exit_code, 0) << identified.err;
  const auto answer = nlohmann::json::parse(identified.out);
  ASSERT_EQ(answer["probes"].size(), static_cast<std::size_t>(kPeople));
  EXPECT_EQ(answer["probes"][0]["size"], "12x10");
  EXPECT_GE(first_candidate_rate(answer), 70.0);
  EXPECT_THAT(read_file(csv), HasSubstr(name_of(7)));
  // The same with the camera learnt from these crops first.
  const ProgramResult seen =
      run_longshot("--quiet identify " + crops + gallery + " --camera auto --json");
  ASSERT_EQ(seen.exit_code, 0) << seen.err;
  EXPECT_GE(first_candidate_rate(nlohmann::json::parse(seen.out)), 70.0);

  const std::string carla = (folder / "carla.png").string();
  ASSERT_EQ(
      run_longshot("--quiet enroll --force --aligned --person carla " + carla + gallery).exit_code,
      0);
  EXPECT_THAT(run_longshot("people list" + gallery).out, HasSubstr("carla"));
  // The newcomer is in the index that was built before.
  const auto again = nlohmann::json::parse(
      run_longshot("--quiet identify --aligned --size 12x10 " + carla + gallery + " --json").out);
  EXPECT_EQ(again["probes"][0]["candidates"][0]["person"], "carla");

  ASSERT_EQ(run_longshot("people remove carla" + gallery).exit_code, 0);
  EXPECT_THAT(run_longshot("people list" + gallery).out, Not(HasSubstr("carla")));
  EXPECT_EQ(read_file(folder / "people.gallery").find("carla"), std::string::npos);

  const std::string photo = (folder / ("photos/" + name_of(3) + ".png")).string();
  const auto verify = [&](Index person) {
    return nlohmann::json::parse(run_longshot("--quiet verify --aligned --size 12x10 " + photo +
                                              " --person " + name_of(person) + gallery + " --json")
                                     .out);
  };
  EXPECT_EQ(verify(3)["decision"], "match");
  EXPECT_EQ(verify(4)["decision"], "no match");
  const auto code = [&](Index person) {
    return run_longshot("--quiet verify --aligned --size 12x10 " + photo + " --person " +
                        name_of(person) + gallery)
        .exit_code;
  };
  EXPECT_EQ(code(3), 0);
  EXPECT_EQ(code(4), 3);
}

TEST(Story, OneBadProbeIsAnErrorInItsPlace) {
  const ScratchFolder folder;
  write_synthetic(folder);
  const std::string gallery = " --gallery " + (folder / "people.gallery").string();
  ASSERT_EQ(
      run_longshot("--quiet enroll --force " + (folder / "photos").string() + gallery).exit_code,
      0);
  write_file(folder / "crops/broken.png", "not an image");
  const ProgramResult result =
      run_longshot("--quiet identify " + (folder / "crops").string() + gallery + " --json");
  EXPECT_EQ(result.exit_code, 1);
  const auto answer = nlohmann::json::parse(result.out);
  Index errors = 0;
  for (const auto& probe : answer["probes"]) {
    errors += probe.contains("error") && !probe["error"].is_null() && probe["error"] != "" ? 1 : 0;
  }
  EXPECT_EQ(errors, 1);
  EXPECT_THAT(result.err, HasSubstr("broken.png"));
}

TEST(Story, WhatCannotBeDoneIsOneSentence) {
  const ScratchFolder folder;
  const std::string missing = (folder / "none.gallery").string();
  fs::create_directories(folder / "empty");
  const std::string empty = (folder / "empty").string();
  EXPECT_EQ(run_longshot("identify " + empty + " --gallery " + missing).exit_code, 2);
  EXPECT_EQ(run_longshot("enroll " + empty + " --gallery " + missing).exit_code, 2);
  EXPECT_FALSE(fs::exists(missing));
  write_file(folder / "text.gallery", "this is not a gallery, but a text of some length");
  const ProgramResult text =
      run_longshot("people list --gallery " + (folder / "text.gallery").string());
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_EQ(std::count(text.err.begin(), text.err.end(), '\n'), 1);
}

TEST(Story, YaleBFrontalPhotosAndOtherLightsAt12x10) {
  const auto data = test_data("yaleb-192x168");
  if (!data) GTEST_SKIP() << "skipped: no data";
  const ScratchFolder folder;
  fs::create_directories(folder / "photos");
  fs::create_directories(folder / "crops");
  Index people = 0;
  for (const auto& entry : fs::directory_iterator(*data)) {
    const std::string person = entry.path().filename().string();
    const fs::path frontal = entry.path() / (person + "_P00A+000E+00.pgm");
    if (!fs::exists(frontal)) continue;
    ++people;
    fs::copy_file(frontal, folder / ("photos/" + person + ".pgm"));
    for (const char* light : {"A+010E+00", "A-025E+00", "A+020E+10"}) {
      const fs::path other = entry.path() / (person + "_P00" + light + ".pgm");
      if (!fs::exists(other)) continue;
      write_image(folder / ("crops/" + person + "_" + light + ".png"),
                  degrade(read_image(other), {12, 10}));
    }
  }
  ASSERT_GT(people, 30);
  const std::string crop = "{\"aligned\": true, \"eyes\": [0.207, 0.242, 0.772, 0.242]}";
  write_file(folder / "photos/dataset.json", crop);
  const std::string gallery = " --gallery " + (folder / "people.gallery").string();
  const ProgramResult enrolled =
      run_longshot("--quiet enroll --force " + (folder / "photos").string() + gallery);
  ASSERT_EQ(enrolled.exit_code, 0) << enrolled.err;
  const ProgramResult identified =
      run_longshot("--quiet identify " + (folder / "crops").string() + gallery + " --json");
  ASSERT_EQ(identified.exit_code, 0) << identified.err;
  const double rate = first_candidate_rate(nlohmann::json::parse(identified.out));
  fmt::print("  {} people enrolled, {:.1f} % of the crops at 12x10 name the right one first\n",
             people, rate);
  EXPECT_GE(rate, 80.0);
}

}  // namespace
}  // namespace longshot
