// SPDX-License-Identifier: Apache-2.0
// Frames with several small faces, with the real program.
#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/image_io.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr double kDistances[] = {12.0, 8.0};  // pixels between the eyes of two people

// frames/: two people beside each other, and a wall.
void write_frames(const ScratchFolder& folder) {
  fs::create_directories(folder / "frames");
  std::vector<Eyes> eyes;
  write_image(
      folder / "frames/0001.png",
      side_by_side({small_portrait(2, kDistances[0]), small_portrait(4, kDistances[1])}, 6, eyes)
          .image);
  write_image(folder / "frames/0002.png", Image::Constant(80, 100, 0.5));
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::istringstream text(read_file(file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(FacesCommand, CutsOutWhatOtherCommandsRead) {
  const ScratchFolder folder;
  write_frames(folder);
  const ProgramResult cut = run_longshot("--quiet faces frames --out cut", folder.path());
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr("2 faces of 2 pictures, 1 of which show none"));
  const std::vector<std::string> lines = lines_of(folder / "cut/manifest.csv");
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "path,subject,left_eye_x,left_eye_y,right_eye_x,right_eye_y,source,frame,time,track,"
            "source_left_eye_x,source_left_eye_y,source_right_eye_x,source_right_eye_y,eye_error,"
            "quality");
  EXPECT_THAT(lines[1], HasSubstr("frames/0001.png,0,,,"));

  const std::string gallery = " --gallery people.gallery";
  ASSERT_EQ(
      run_longshot("--quiet synth --people 6 --photos 1 --out people", folder.path()).exit_code, 0);
  ASSERT_EQ(run_longshot("--quiet enroll people" + gallery, folder.path()).exit_code, 0);
  const ProgramResult known =
      run_longshot("--quiet identify cut/manifest.csv --json" + gallery, folder.path());
  ASSERT_EQ(known.exit_code, 0) << known.err;
  EXPECT_EQ(nlohmann::json::parse(known.out)["probes"].size(), 2U);
  // Nobody is enrolled under no name.
  EXPECT_EQ(run_longshot("--quiet enroll cut/manifest.csv" + gallery, folder.path()).exit_code, 2);

  const ProgramResult all =
      run_longshot("--quiet identify frames/0001.png --faces all --json" + gallery, folder.path());
  ASSERT_EQ(all.exit_code, 0) << all.err;
  const auto probes = nlohmann::json::parse(all.out)["probes"];
  ASSERT_EQ(probes.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(probes[i]["source"], "frames/0001.png");
    EXPECT_EQ(probes[i]["frame"], 0);
    EXPECT_EQ(probes[i]["box"].size(), 4U);
    const double distance = probes[i]["eyes"][2].get<double>() - probes[i]["eyes"][0].get<double>();
    EXPECT_NEAR(distance, kDistances[i], 0.25 * kDistances[i]);
    EXPECT_GT(probes[i]["eye_error"], 0.0);
    EXPECT_GT(probes[i]["quality"], 0.0);
  }
  const ProgramResult largest =
      run_longshot("--quiet identify frames/0001.png --json" + gallery, folder.path());
  EXPECT_EQ(nlohmann::json::parse(largest.out)["probes"].size(), 1U);
}

TEST(FacesCommand, SaysWhereNobodyIs) {
  const ScratchFolder folder;
  write_frames(folder);
  const ProgramResult none = run_longshot("faces frames/0002.png --out cut", folder.path());
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("No face was found"));
  EXPECT_FALSE(fs::exists(folder / "cut/manifest.csv"));
  write_file(folder / "frames/0003.png", "no picture");
  const ProgramResult some = run_longshot("faces frames --out cut", folder.path());
  EXPECT_EQ(some.exit_code, 1);
  EXPECT_THAT(some.err, HasSubstr("0003.png"));
  EXPECT_TRUE(fs::exists(folder / "cut/manifest.csv"));
}

}  // namespace
}  // namespace longshot
