// SPDX-License-Identifier: Apache-2.0
// longshot doctor and longshot --version.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ContainsRegex;
using testing::HasSubstr;

class Doctor : public testing::Test {
 protected:
  Doctor() {
    fs::copy_file(LONGSHOT_SOURCE_DIR "/tests/files/gallery-2.gallery", gallery_);
    fs::permissions(gallery_, fs::perms::owner_read | fs::perms::owner_write);
  }
  ProgramResult examine(const std::string& more = "") const {
    return run_longshot("doctor --gallery " + gallery_.string() + more);
  }

  ScratchFolder folder_;
  fs::path gallery_ = folder_ / "people.gallery";
};

TEST(Version, NamesCommitAndInstructionSet) {
  const ProgramResult result = run_longshot("--version");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, ContainsRegex("^longshot [0-9.]+ \\(commit [0-9a-z]+, [a-z0-9]+\\)\n$"));
  EXPECT_EQ(run_longshot("version").out, result.out);
}

TEST_F(Doctor, AWholeGalleryIsWell) {
  const ProgramResult result = examine();
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("is whole: 4 people, 4 photos"));
  EXPECT_THAT(result.out, HasSubstr("OpenCV"));
}

TEST_F(Doctor, JsonNamesEachFinding) {
  const json document = json::parse(examine(" --json").out);
  EXPECT_TRUE(document.at("well"));
  for (const char* key : {"version", "commit", "instruction_set"}) {
    EXPECT_TRUE(document.contains(key)) << key;
  }
  for (const json& finding : document.at("findings")) {
    EXPECT_FALSE(finding.at("what").get<std::string>().empty());
    EXPECT_EQ(finding.at("advice") == "", finding.at("level") == "fine") << finding;
  }
}

TEST_F(Doctor, DamageIsNamedWithWhatToDo) {
  // Within the first face, which lies near the end of the fifth page; its checksum ends the row.
  std::fstream file(gallery_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(5 * 16384 - 300);
  file << std::string(100, '\x5a');
  file.close();
  const ProgramResult result = examine(" --json");
  EXPECT_EQ(result.exit_code, 1) << result.out;
  const json document = json::parse(result.out);
  EXPECT_FALSE(document.at("well"));
  const json& finding = document.at("findings").back();
  EXPECT_EQ(finding.at("level"), "problem");
  EXPECT_THAT(finding.at("advice").get<std::string>(), HasSubstr("copy"));
}

TEST_F(Doctor, AnOlderGalleryIsReadAsItIs) {
  fs::copy_file(LONGSHOT_SOURCE_DIR "/tests/files/gallery-1.gallery", gallery_,
                fs::copy_options::overwrite_existing);
  const std::string before = read_file(gallery_);
  const ProgramResult result = examine();
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_THAT(result.out, HasSubstr("version 1"));
  EXPECT_THAT(result.out, HasSubstr("remark"));
  EXPECT_EQ(read_file(gallery_), before);
}

}  // namespace
}  // namespace longshot
