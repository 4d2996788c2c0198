// SPDX-License-Identifier: Apache-2.0
// What enroll, identify, verify and train say to input that they cannot use.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/core/test_data.h"
#include "longshot/image/degrade.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Nothing on stdout, exactly one line on stderr, exit code 2.
void expect_refused(const ProgramResult& result, const std::string& about) {
  EXPECT_EQ(result.exit_code, 2) << result.out << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, StartsWith("longshot: "));
  EXPECT_THAT(result.err, HasSubstr(about));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// 22 people with three photos each, of whom three are enrolled.
class GalleryInput : public testing::Test {
 protected:
  GalleryInput() {
    SyntheticSetOptions options;
    options.people = 22;
    options.photos = 3;
    write_synthetic_set(folder_ / "people", options);
    fs::create_directories(folder_ / "three");
    for (const char* person : {"person_00000", "person_00001", "person_00002"}) {
      fs::copy(folder_ / ("people/" + std::string(person)),
               folder_ / ("three/" + std::string(person)));
    }
    fs::create_directories(folder_ / "empty");
  }
  ProgramResult run(const std::string& command, const std::string& path,
                    const std::string& more = "") const {
    const std::string file = path.empty() ? "" : (folder_ / path).string();
    return run_longshot("--quiet " + command + " " + file + " " + more + gallery_);
  }
  void enrol() {
    const ProgramResult result = run("enroll", "people/manifest.csv");
    ASSERT_EQ(result.exit_code, 0) << result.err;
  }

  ScratchFolder folder_;
  std::string gallery_ = " --gallery " + (folder_ / "g.gallery").string();
};

TEST_F(GalleryInput, EmptyFoldersAndMissingFiles) {
  for (const char* command : {"enroll", "identify", "verify --person x"}) {
    expect_refused(run(command, "empty"), "No images were found");
    expect_refused(run(command, "nowhere"), "does not exist");
  }
  EXPECT_FALSE(fs::exists(folder_ / "g.gallery"));
  expect_refused(run("identify", "people"), "g.gallery");
}

TEST_F(GalleryInput, UnknownPersonAndMethod) {
  enrol();
  expect_refused(run("verify", "people/person_00000/01.png", "--person nobody"),
                 "Nobody called \"nobody\"");
  expect_refused(run("identify", "people", "--method magic"), "\"magic\" is not a method");
  expect_refused(run("identify", "people", "--fpir 2"), "between 0 and 1");
  expect_refused(run("identify", "people", "--size 100x80"), "larger than the faces");
}

TEST_F(GalleryInput, ModelsThatCannotBeUsed) {
  const std::string model = (folder_ / "m.model").string();
  ASSERT_EQ(
      run_longshot("--quiet train " + (folder_ / "people").string() + " --out " + model).exit_code,
      0);
  std::string bytes = read_file(model);
  bytes[7] = 2;
  write_file(folder_ / "new.model", bytes);
  expect_refused(run("enroll", "people", "--model " + (folder_ / "new.model").string()),
                 "version 2");
  bytes[7] = 1;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  write_file(folder_ / "damaged.model", bytes);
  expect_refused(run("enroll", "people", "--model " + (folder_ / "damaged.model").string()),
                 "checksum is wrong");
  expect_refused(run("enroll", "people", "--model " + (folder_ / "people/manifest.csv").string()),
                 "is not a model");
  EXPECT_FALSE(fs::exists(folder_ / "g.gallery"));
  EXPECT_EQ(run("enroll", "people", "--hr 24x20").exit_code, 0);
  expect_refused(run("enroll", "", "--model " + model), "begin a new gallery");
  expect_refused(run_longshot("--quiet train " + (folder_ / "three").string() + " --out x.model"),
                 "at least 20 people");
}

TEST_F(GalleryInput, GalleriesOfAnotherKindOrVersion) {
  write_file(folder_ / "g.gallery", "this is a text and not a gallery, however long it may be");
  expect_refused(run("identify", "people"), "g.gallery");
  expect_refused(run("enroll", "people"), "g.gallery");
  fs::remove(folder_ / "g.gallery");
  enrol();
  std::string bytes = read_file(folder_ / "g.gallery");
  bytes[63] = 99;  // user_version of the SQLite header
  write_file(folder_ / "g.gallery", bytes);
  expect_refused(run("identify", "people"), "newer version of longshot");
  expect_refused(run("enroll", "three"), "newer version of longshot");
}

TEST_F(GalleryInput, RefusedPhotosAreNamedAndTheOthersEnrolled) {
  write_file(folder_ / "people/person_00003/00.png", "not a picture");
  const Image photo = read_image(folder_ / "people/person_00005/00.png");
  write_image(folder_ / "people/person_00005/00.png", 0.05 * photo);
  const ProgramResult result = run("enroll", "people");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, StartsWith("20 photos of 20 new people enrolled"));
  EXPECT_THAT(result.err, HasSubstr("person_00003/00.png: Cannot read"));
  EXPECT_THAT(result.err, HasSubstr("person_00005/00.png: The face is too dark"));
  expect_refused(run("enroll", "people"), "None of 22 photos could be enrolled");
  const ProgramResult forced = run("enroll", "people", "--force");
  EXPECT_EQ(forced.exit_code, 1);
  EXPECT_THAT(forced.out, StartsWith("1 photo of 1 new person enrolled"));
  EXPECT_THAT(forced.err, HasSubstr("person_00005/00.png: warning: The face is too dark"));
  EXPECT_THAT(forced.err, HasSubstr("already enrolled for person_00000"));
}

TEST_F(GalleryInput, FilesBesideThePhotosAreNamedAndCounted) {
  fs::create_directories(folder_ / "mine/anna");
  fs::copy_file(folder_ / "people/person_00000/00.png", folder_ / "mine/anna/a.png");
  write_file(folder_ / "mine/notes.txt", "hello");
  write_file(folder_ / "mine/anna/a.png.bak", "hello");
  write_file(folder_ / "mine/anna/b.gif", "hello");
  const ProgramResult result = run("enroll", "mine", "--force");
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.out, StartsWith("1 photo of 1 new person enrolled, 1 left out; "));
  EXPECT_THAT(result.err, HasSubstr("b.gif: Files of the kind .gif are not read here."));
  EXPECT_THAT(result.err, HasSubstr("2 files are no pictures by name and passed over: "));
  EXPECT_THAT(result.err, HasSubstr("mine/notes.txt, "));
  EXPECT_THAT(result.err, HasSubstr("mine/anna/a.png.bak\n"));
}

TEST_F(GalleryInput, AWarningThatMostPhotosGetIsNotRepeated) {
  fs::create_directories(folder_ / "small");
  for (int i = 0; i < 8; ++i) {
    const Image photo = read_image(folder_ / fmt::format("people/person_{:05}/00.png", i));
    write_image(folder_ / fmt::format("small/person{}.png", i), degrade(photo, {24, 20}));
  }
  const ProgramResult result = run("enroll", "small", "--force --aligned");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("person4.png: warning: The face is too small"));
  EXPECT_THAT(result.err, Not(HasSubstr("person5.png")));
  EXPECT_THAT(result.err, HasSubstr("3 others: warning: The face is too small"));
}

TEST_F(GalleryInput, SeveralFacesInAPhotoAreRefused) {
  const auto photos = test_data("photos");
  const auto detector = test_data("models/yunet_120x160.onnx");
  if (!photos || !detector) GTEST_SKIP() << "skipped: no data";
  Index several = 0;
  for (const auto& entry : fs::directory_iterator(*photos)) {
    if (!has_image_extension(entry.path())) continue;
    const ProgramResult result =
        run_longshot("--quiet enroll '" + entry.path().string() + "' --person x --detector " +
                     detector->string() + " --gallery " + (folder_ / "one.gallery").string());
    several += result.err.find(" faces, and none is clearly the main") != std::string::npos ? 1 : 0;
    fs::remove(folder_ / "one.gallery");
  }
  EXPECT_GE(several, 1);
}

}  // namespace
}  // namespace longshot
