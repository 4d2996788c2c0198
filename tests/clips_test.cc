// SPDX-License-Identifier: Apache-2.0
// Clips and folders of frames, with the real program.
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/clip/clip_reader.h"
#include "longshot/core/file.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_clip.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const std::string kWalk =
    " --together 1 --walk 10 --size 120x160 --far 10 --near 14";  // two people, one by one
const std::string kAsk = " --gallery people.gallery --least-eyes 8 ";

// walk.avi of two people who are enrolled among others.
class ClipsCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::path(testing::TempDir()) / "clips_command";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    ASSERT_EQ(run("--quiet synth --people 8 --photos 1 --out people").exit_code, 0);
    ASSERT_EQ(run("--quiet enroll people --gallery people.gallery").exit_code, 0);
    const ProgramResult filmed = run("--quiet synth --people 2 --clip walk.avi" + kWalk);
    ASSERT_EQ(filmed.exit_code, 0) << filmed.err;
    EXPECT_EQ(filmed.out, "20 frames of 2 people in walk.avi\n");
  }

  static void TearDownTestSuite() { fs::remove_all(folder_); }

  static ProgramResult run(const std::string& arguments) {
    return run_longshot(arguments, folder_.string());
  }

  // Exactly one sentence says why there is no answer.
  static void expect_refused(const std::string& clip, const std::string& why) {
    const ProgramResult refused = run("--quiet identify " + clip + kAsk);
    EXPECT_EQ(refused.exit_code, 2) << clip;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(why));
    EXPECT_EQ(refused.out, "");
    const ProgramResult uncut = run("--quiet faces " + clip + " --out none --least-eyes 8");
    EXPECT_EQ(uncut.exit_code, 2) << clip;
    EXPECT_EQ(std::count(uncut.err.begin(), uncut.err.end(), '\n'), 1) << uncut.err;
    EXPECT_THAT(uncut.err, HasSubstr(why));
    EXPECT_FALSE(fs::exists(folder_ / "none/manifest.csv"));
  }

  // Whether there is an ffmpeg that makes this clip; see the walk as its first input.
  static bool made_by_ffmpeg(const std::string& arguments, const std::string& name) {
    const std::string command =
        fmt::format("cd '{}' && ffmpeg -nostdin -y -loglevel quiet {} '{}' >/dev/null 2>&1",
                    folder_.string(), arguments, name);
    return std::system(command.c_str()) == 0;
  }

  static inline fs::path folder_;
};

std::set<std::string> nearest_people(const ProgramResult& told) {
  std::set<std::string> people;
  const auto document = nlohmann::json::parse(told.out);
  for (const auto& probe : document["probes"]) {
    people.insert(probe["candidates"][0]["person"]);
  }
  return people;
}

TEST_F(ClipsCommand, TheCameraIsLearntOnlyWhereItIsAskedFor) {
  const auto cameras = [](const std::string& option) {
    const ProgramResult told = run("--quiet identify walk.avi --json" + kAsk + option);
    EXPECT_EQ(told.exit_code, 0) << told.err;
    return nlohmann::json::parse(told.out).contains("cameras");
  };
  EXPECT_FALSE(cameras(""));
  EXPECT_TRUE(cameras("--camera auto"));
}

TEST_F(ClipsCommand, PeopleOfAClipAreNamed) {
  const ProgramResult told = run("--quiet identify walk.avi --json" + kAsk);
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_EQ(nearest_people(told), (std::set<std::string>{"person_00000", "person_00001"}));
  const auto probes = nlohmann::json::parse(told.out)["probes"];
  ASSERT_EQ(probes.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(probes[i]["source"], "walk.avi");
    EXPECT_EQ(probes[i]["track"], i + 1);
    EXPECT_EQ(probes[i]["frame"].get<std::size_t>() / 10, i);
    EXPECT_NEAR(probes[i]["time"], probes[i]["frame"].get<double>() / 25.0, 1e-3);
    EXPECT_GE(probes[i]["frames_used"], 3);
    EXPECT_EQ(probes[i]["box"].size(), 4U);
    EXPECT_EQ(probes[i]["eyes"].size(), 4U);
  }
  const ProgramResult text = run("--quiet identify walk.avi" + kAsk);
  EXPECT_THAT(text.out, HasSubstr("walk.avi track 2"));
}

TEST_F(ClipsCommand, APartOfAClipCanBeAskedFor) {
  const ProgramResult second = run("--quiet identify walk.avi --json --from 0.4 --every 2" + kAsk);
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(nearest_people(second), (std::set<std::string>{"person_00001"}));
  const ProgramResult none = run("--quiet identify walk.avi --from 5" + kAsk);
  EXPECT_EQ(none.exit_code, 2);
  const ProgramResult never = run("--quiet identify walk.avi --every 0" + kAsk);
  EXPECT_EQ(never.exit_code, 2);
  EXPECT_THAT(never.err, HasSubstr("0"));
}

TEST_F(ClipsCommand, FacesOfAClipAreCutOut) {
  const ProgramResult cut = run("--quiet faces walk.avi --out cut --least-eyes 8");
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_THAT(cut.out, HasSubstr(" faces of 2 tracks, in cut/manifest.csv"));
  EXPECT_THAT(read_file(folder_ / "cut/manifest.csv"), HasSubstr(",walk.avi,0,0.000,1,"));
  const ProgramResult told =
      run("--quiet identify cut/manifest.csv --json --gallery people.gallery");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_GE(nlohmann::json::parse(told.out)["probes"].size(), 10U);
}

// What --annotate wrote, by name.
std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
  }
  return names;
}

TEST_F(ClipsCommand, AnswersAreDrawn) {
  const ProgramResult told =
      run("identify people/person_00003/00.png walk.avi --annotate drawn "
          "--every 2 --faces all --json" +
          kAsk);
  ASSERT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.err, HasSubstr("drawn: 5 files of the answers"));
  EXPECT_EQ(names_in(folder_ / "drawn"),
            (std::set<std::string>{"0001_00.png", "0002_walk.avi", "0002_walk_track001.png",
                                   "0002_walk_track002.png", "legend.csv"}));
  const auto probes = nlohmann::json::parse(told.out)["probes"];
  ASSERT_EQ(probes.size(), 3U);
  EXPECT_EQ(probes[0]["annotated"], nlohmann::json({"drawn/0001_00.png"}));
  EXPECT_EQ(probes[2]["annotated"],
            nlohmann::json({"drawn/0002_walk.avi", "drawn/0002_walk_track002.png"}));
  EXPECT_THAT(read_file(folder_ / "drawn/legend.csv"), HasSubstr("0002_walk.avi,2,walk.avi,2,"));
  EXPECT_EQ(read_image(folder_ / "drawn/0002_walk_track001.png").cols(), 1032);
  // Ten frames of the twenty, four times as large, at half the rate.
  const auto clip = open_clip(folder_ / "drawn/0002_walk.avi");
  Index frames = 0;
  double seconds = 0.0;
  while (const auto frame = clip->next()) {
    EXPECT_EQ(size_of(frame->image), (Size{480, 640}));
    seconds = frame->seconds;
    ++frames;
  }
  EXPECT_EQ(frames, 10);
  EXPECT_NEAR(seconds, 9.0 / 12.5, 1e-3);
}

TEST_F(ClipsCommand, WhatCannotBeDrawnIntoIsSaidFirst) {
  write_file(folder_ / "a_file", "x");
  for (const std::string out : {"a_file", "people", "a_file/below"}) {
    const ProgramResult refused = run("identify walk.avi --annotate " + out + kAsk);
    EXPECT_EQ(refused.exit_code, 2) << out;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
    EXPECT_THAT(refused.err, HasSubstr(out));
    EXPECT_EQ(refused.out, "");
  }
  EXPECT_EQ(read_file(folder_ / "a_file"), "x");
}

// Files cannot grow beyond 64 KB, as on a full disk; the gallery is not written to.
TEST_F(ClipsCommand, AFullDiskLeavesTheAnswers) {
  ASSERT_EQ(run("--quiet identify walk.avi" + kAsk).exit_code, 0);  // makes what a size needs
  const std::string command = fmt::format(
      "cd '{}' && trap '' XFSZ && ulimit -f 128 && '{}' --quiet identify walk.avi --annotate full "
      "--gallery people.gallery --least-eyes 8 --json >full.json 2>full.err",
      folder_.string(), LONGSHOT_PROGRAM);
  const int status = std::system(command.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const std::string said = read_file(folder_ / "full.err");
  EXPECT_THAT(said, HasSubstr("the answers are complete"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(nlohmann::json::parse(read_file(folder_ / "full.json"))["probes"].size(), 2U);
  EXPECT_EQ(names_in(folder_ / "full"), std::set<std::string>{"legend.csv"});
}

TEST_F(ClipsCommand, AFolderOfFramesIsAClip) {
  SyntheticClipOptions options;
  options.people = options.together = 1;
  options.walk = 10;
  options.size = {120, 160};
  options.far = 10.0;
  options.near = 14.0;
  SyntheticClip clip(options);
  fs::create_directories(folder_ / "frames");
  fs::create_directories(folder_ / "door");
  std::vector<ClipTruth> truth;
  for (Index k = 0; k < clip.frames(); ++k) {
    const Image frame = clip.frame(k, truth);
    write_image(folder_ / fmt::format("frames/frame_{:03}.png", k), frame);
    write_image(folder_ / fmt::format("door/door_{:03}.png", k), frame);
  }
  for (const std::string asked : {"frames", "door --fuse auto"}) {
    const ProgramResult told = run("--quiet identify " + asked + " --json" + kAsk);
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_EQ(nearest_people(told), (std::set<std::string>{"person_00000"})) << asked;
  }
  // Without being told, a folder of one word and numbers may be the photos of that person.
  const ProgramResult stills = run("--quiet identify door --json" + kAsk);
  EXPECT_EQ(nlohmann::json::parse(stills.out)["probes"].size(), 10U);
  const ProgramResult cut = run("--quiet faces frames --out cut_frames --least-eyes 8");
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  EXPECT_THAT(read_file(folder_ / "cut_frames/manifest.csv"), HasSubstr(",frames,"));
}

TEST_F(ClipsCommand, WhatIsNoClipGetsOneSentence) {
  write_file(folder_ / "empty.mp4", "");
  expect_refused("empty.mp4", "empty.mp4");
  write_file(folder_ / "words.mp4", "no clip at all");
  expect_refused("words.mp4", "words.mp4");
  expect_refused("missing.mp4", "missing.mp4");
  const std::string whole = read_file(folder_ / "walk.avi");
  write_file(folder_ / "stub.avi", whole.substr(0, 600));
  expect_refused("stub.avi", "stub.avi");
}

// What a camera, a telephone or an editor may hand over. Each file is the walk, or made for the
// test; where there is no ffmpeg, there are none.
class OddClips : public ClipsCommand {
 protected:
  void SetUp() override {
    if (!made_by_ffmpeg("-i walk.avi -c:v libx264 -qp 10", "plain.mp4")) {
      GTEST_SKIP() << "there is no ffmpeg here";
    }
  }

  // Of both commands. The rows of the manifest have the time at the ninth place.
  static std::vector<std::vector<double>> eyes_and_times(const std::string& clip) {
    const ProgramResult cut = run("--quiet faces " + clip + " --out odd --least-eyes 8");
    EXPECT_EQ(cut.exit_code, 0) << clip << ": " << cut.err;
    std::vector<std::vector<double>> rows;
    std::istringstream lines(read_file(folder_ / "odd/manifest.csv"));
    for (std::string line; std::getline(lines, line);) {
      std::vector<std::string> cells;
      std::istringstream row(line);
      for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
      if (cells[0] == "path") continue;
      rows.push_back({std::stod(cells[7]), std::stod(cells[8]), std::stod(cells[10]),
                      std::stod(cells[11])});  // frame, time, left eye
    }
    return rows;
  }

  static std::set<std::string> people_of(const std::string& clip,
                                         const std::string& options = kAsk) {
    const ProgramResult told = run("--quiet identify " + clip + " --json" + options);
    EXPECT_EQ(told.exit_code, 0) << clip << ": " << told.err;
    return told.exit_code == 0 ? nearest_people(told) : std::set<std::string>{};
  }
};

const std::set<std::string> kBoth = {"person_00000", "person_00001"};

TEST_F(OddClips, SoundAloneAndAClipWithoutFacesGetOneSentence) {
  ASSERT_TRUE(made_by_ffmpeg("-f lavfi -i sine=duration=1", "sound.mp4"));
  expect_refused("sound.mp4", "it holds no video that can be decoded");
  ASSERT_TRUE(made_by_ffmpeg("-f lavfi -i testsrc=size=160x120:duration=0.4", "bars.mp4"));
  expect_refused("bars.mp4", "No face could be followed on its 10 frames");
}

// An MP4 keeps its index at its end, other containers go on until they break off.
TEST_F(OddClips, WhatBreaksOffIsAnsweredAsFarAsItGoes) {
  const std::string whole = read_file(folder_ / "plain.mp4");
  write_file(folder_ / "cut.mp4", whole.substr(0, whole.size() * 9 / 10));
  expect_refused("cut.mp4", "it holds no video that can be decoded");
  for (const std::string name : {"plain.mkv", "plain.ts"}) {
    ASSERT_TRUE(made_by_ffmpeg("-i walk.avi -c:v libx264 -qp 10", name));
    const std::string bytes = read_file(folder_ / name);
    write_file(folder_ / ("cut_" + name), bytes.substr(0, bytes.size() / 2));
    EXPECT_EQ(people_of("cut_" + name), (std::set<std::string>{"person_00000"})) << name;
  }
}

TEST_F(OddClips, WhatIsDamagedInTheMiddleIsNoReasonToGiveUp) {
  std::string bytes = read_file(folder_ / "plain.mp4");
  for (std::size_t i = 0; i < 2000; ++i) {
    bytes[bytes.size() / 2 + i] = static_cast<char>(37 * i + i / 7);
  }
  write_file(folder_ / "hurt.mp4", bytes);
  EXPECT_EQ(people_of("hurt.mp4").count("person_00000"), 1U);
  EXPECT_GE(eyes_and_times("hurt.mp4").size(), 3U);
}

TEST_F(OddClips, WhatWasFilmedLyingDownStandsUpright) {
  ASSERT_TRUE(made_by_ffmpeg("-i walk.avi -vf transpose=1 -c:v libx264 -qp 10", "lying.mp4"));
  ASSERT_TRUE(made_by_ffmpeg("-i lying.mp4 -c copy -metadata:s:v:0 rotate=270", "turned.mp4"));
  EXPECT_EQ(people_of("turned.mp4"), kBoth);
  const auto upright = eyes_and_times("plain.mp4");
  const auto turned = eyes_and_times("turned.mp4");
  ASSERT_EQ(turned.size(), upright.size());
  for (std::size_t i = 0; i < turned.size(); ++i) {
    EXPECT_NEAR(turned[i][2], upright[i][2], 1.5) << i;
    EXPECT_NEAR(turned[i][3], upright[i][3], 1.5) << i;
  }
}

// Three frames are missing at first, and between the two people nothing is filmed for 0.2 s. The
// last frames come out of the decoder after the file's end.
TEST_F(OddClips, TimesOfAVariableRateAreThoseOfTheFile) {
  ASSERT_TRUE(
      made_by_ffmpeg("-i walk.avi -vf \"select='not(between(n,3,5))',"
                     "setpts=N/(25*TB)+gt(N\\,6)*0.2/TB\" -vsync vfr -c:v libx264 -qp 10",
                     "variable.mp4"));
  EXPECT_EQ(people_of("variable.mp4"), kBoth);
  const auto faces = eyes_and_times("variable.mp4");
  for (const std::vector<double>& face : faces) {
    EXPECT_NEAR(face[1], face[0] / 25.0 + (face[0] > 6.0 ? 0.2 : 0.0), 2e-3);
  }
  EXPECT_EQ(faces.back()[0], 16.0);
}

TEST_F(OddClips, TenBitsAreAsGoodAsEight) {
  ASSERT_TRUE(made_by_ffmpeg("-i walk.avi -c:v libx264 -pix_fmt yuv420p10le -qp 10", "deep.mkv"));
  EXPECT_EQ(people_of("deep.mkv"), kBoth);
  EXPECT_GE(eyes_and_times("deep.mkv").size(), 15U);
}

TEST_F(OddClips, EightThousandColumnsAreLookedAt) {
  ASSERT_TRUE(made_by_ffmpeg(
      "-i walk.avi -vf scale=iw*20:-1,pad=7680:4320:3000:1000 -frames:v 3 -c:v libx264 "
      "-preset ultrafast",
      "wide.mp4"));
  EXPECT_EQ(people_of("wide.mp4", " --gallery people.gallery --least-eyes 120"),
            (std::set<std::string>{"person_00000"}));
}

TEST_F(ClipsCommand, ADamagedClipDoesNotSpoilTheOthers) {
  const std::string whole = read_file(folder_ / "walk.avi");
  write_file(folder_ / "half.avi", whole.substr(0, whole.size() / 2));
  const ProgramResult half = run("--quiet identify half.avi --json" + kAsk);
  EXPECT_THAT(half.exit_code, testing::AnyOf(0, 1)) << half.err;
  EXPECT_EQ(nearest_people(half), (std::set<std::string>{"person_00000"}));
  write_file(folder_ / "words.mp4", "no clip at all");
  const ProgramResult both = run("--quiet identify words.mp4 walk.avi --json" + kAsk);
  EXPECT_EQ(both.exit_code, 1);
  EXPECT_THAT(both.err, HasSubstr("words.mp4"));
  EXPECT_EQ(nearest_people(both).size(), 2U);
}

TEST_F(ClipsCommand, SaysWhereNobodyCanBeFollowed) {
  fs::create_directories(folder_ / "wall");
  for (int k = 0; k < 4; ++k) {
    write_image(folder_ / fmt::format("wall/frame{}.png", k), Image::Constant(80, 100, 0.5));
  }
  expect_refused("wall", "No face could be followed on its 4 frames");
}

TEST_F(ClipsCommand, NothingIsFilmedWithoutAPlaceForIt) {
  const ProgramResult none = run("--quiet synth --people 2");
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("--clip"));
  const ProgramResult small = run("--quiet synth --people 2 --clip small.avi --size 10x10");
  EXPECT_EQ(small.exit_code, 2);
  EXPECT_THAT(small.err, Not(HasSubstr("terminate")));
  EXPECT_FALSE(fs::exists(folder_ / "small.avi"));
}

}  // namespace
}  // namespace longshot
