// SPDX-License-Identifier: Apache-2.0
// The command camera, and --camera of identify, verify and evaluate, as a user meets them.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/camera/simulated_camera.h"
#include "longshot/core/file.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_photo.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

void expect_refused_camera(const ProgramResult& result, const std::string& about) {
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("longshot: "));
  EXPECT_THAT(result.err, HasSubstr(about));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// 24 people with a photo each, and crops of them that a soft, shifted camera took.
class CameraInput : public testing::Test {
 protected:
  static constexpr Index kPeople = 24;

  CameraInput() {
    SyntheticPhotoOptions options;
    options.lighting = frontal_lighting();
    const Matrix photos = take_photos(3, 0, kPeople, options, 0);
    options.lighting.reset();
    const Matrix faces = take_photos(3, 0, kPeople, options, 1);
    SimulatedCamera camera;
    camera.registration = {0.05, -0.04, 0.03, 0.0};
    camera.blur = 0.8;
    camera.offset = 0.1;
    camera.noise = 0.01;
    const Matrix crops = take_crops(camera, faces, options.size, {12, 10}, 1);
    fs::create_directories(folder_ / "photos");
    fs::create_directories(folder_ / "crops");
    write_file(folder_ / "photos/dataset.json", aligned_);
    write_file(folder_ / "crops/dataset.json", aligned_);
    for (Index i = 0; i < kPeople; ++i) {
      const std::string name = fmt::format("p{:02}.png", i);
      write_image(folder_ / ("photos/" + name), photos.col(i).reshaped(48, 40));
      write_image(folder_ / ("crops/" + name), crops.col(i).reshaped(12, 10));
    }
    const ProgramResult enrolled = run("enroll photos --force");
    EXPECT_EQ(enrolled.exit_code, 0) << enrolled.err;
  }

  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command + " --gallery g.gallery", folder_.path());
  }

  std::string aligned_ = R"({"aligned": true, "eyes": [0.25, 0.34375, 0.75, 0.34375]})";
  ScratchFolder folder_;
};

TEST_F(CameraInput, FewCropsTeachNone) {
  const std::string few = "identify crops/p00.png crops/p01.png --gallery g.gallery";
  const ProgramResult asked = run_longshot(few + " --camera auto", folder_.path());
  EXPECT_EQ(asked.exit_code, 0) << asked.err;
  EXPECT_THAT(asked.err, HasSubstr("none is learnt from fewer than 5 crops"));
  const ProgramResult unasked = run_longshot(few, folder_.path());
  EXPECT_EQ(unasked.out, asked.out);
  EXPECT_THAT(unasked.err, Not(HasSubstr("camera:")));
  EXPECT_EQ(run("identify crops/p00.png crops/p01.png --camera none").out, asked.out);
}

TEST_F(CameraInput, WhatWasLearntIsSaidInOneLine) {
  const ProgramResult said = run_longshot("identify crops --gallery g.gallery", folder_.path());
  EXPECT_THAT(said.err, HasSubstr("camera at 12x10, from 24 crops: blur "));
  EXPECT_THAT(said.err, HasSubstr("% of the mean brightness"));
  EXPECT_THAT(said.err, HasSubstr("--camera none does without"));
}

TEST_F(CameraInput, ThatNoneWasLearntIsSaidToo) {
  EXPECT_EQ(run_longshot("degrade photos --size 12x10 --out plain", folder_.path()).exit_code, 0);
  write_file(folder_ / "plain/dataset.json", aligned_);
  const ProgramResult said = run_longshot("identify plain --gallery g.gallery", folder_.path());
  EXPECT_THAT(said.err, HasSubstr("from 24 crops: no one camera explains them clearly better"));
}

TEST_F(CameraInput, LearntFromCropsItNamesTheRightPeople) {
  const ProgramResult learnt = run("camera crops --out gate.camera");
  ASSERT_EQ(learnt.exit_code, 0) << learnt.err;
  EXPECT_THAT(learnt.out, HasSubstr("24 crops at 12x10"));
  EXPECT_THAT(learnt.out, HasSubstr("shift to the right"));
  const Image picture = read_image(folder_ / "gate.png");
  EXPECT_GT(picture.cols(), 4 * 160);
  const auto correct = [&](const std::string& camera) {
    const ProgramResult result = run("identify crops --json " + camera);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto document = nlohmann::json::parse(result.out);
    int right = 0;
    for (const auto& probe : document["probes"]) {
      const std::string path = probe["path"];
      const std::string person = probe["candidates"][0]["person"];
      if (path.find("/" + person + ".") != std::string::npos) ++right;
    }
    EXPECT_EQ(document.contains("cameras"), camera != "--camera none");
    return right;
  };
  const int without = correct("--camera none");
  const int with = correct("--camera gate.camera");
  EXPECT_GT(with, without);
  EXPECT_GE(with, 18);
  EXPECT_EQ(correct("--camera auto"), with);
  EXPECT_EQ(correct(""), with);
  const ProgramResult verified =
      run("verify crops/p03.png --person p03 --camera gate.camera --fmr 0.05");
  EXPECT_EQ(verified.exit_code, 0) << verified.err;
}

TEST_F(CameraInput, RefusesBadCameraFiles) {
  write_file(folder_ / "bad.camera", "not json");
  expect_refused_camera(run("identify crops --camera bad.camera"), "not a camera file");
  write_file(folder_ / "new.camera", R"({"format": "longshot camera", "version": 99})");
  expect_refused_camera(run("identify crops --camera new.camera"), "version 99");
  expect_refused_camera(run("identify crops --camera missing.camera"), "missing.camera");
  expect_refused_camera(run("verify crops/p00.png --person p00 --camera bad.camera"),
                        "not a camera file");
  expect_refused_camera(
      run_longshot("--quiet evaluate --protocol roles --data crops --camera bad.camera",
                   folder_.path()),
      "not a camera file");
}

TEST_F(CameraInput, RefusesWhereThereIsNothingToLearnFrom) {
  fs::create_directories(folder_ / "empty");
  EXPECT_EQ(run("camera empty --out a.camera").exit_code, 2);
  fs::create_directories(folder_ / "black");
  write_image(folder_ / "black/x.png", Image::Zero(12, 10));
  expect_refused_camera(run("camera black/x.png --out a.camera"), "x.png");
  EXPECT_FALSE(fs::exists(folder_ / "a.camera"));
}

TEST_F(CameraInput, OneBadCropIsNamedAndTheOthersAreUsed) {
  write_file(folder_ / "crops/p99.png", "no picture");
  const ProgramResult result = run("camera crops --out gate.camera");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, HasSubstr("p99.png"));
  EXPECT_THAT(result.out, HasSubstr("24 crops"));
}

TEST_F(CameraInput, FromFewCropsNothingOfTheirFacesIsKept) {
  const ProgramResult result =
      run("camera crops/p00.png crops/p01.png crops/p02.png --out few.camera");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read_file(folder_ / "few.camera"), HasSubstr("\"tone\": []"));
}

}  // namespace
}  // namespace longshot
