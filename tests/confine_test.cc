// SPDX-License-Identifier: Apache-2.0
// --confine: pictures are decoded in processes of their own.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Confine : public testing::Test {
 protected:
  Confine() {
    SyntheticSetOptions options;
    options.people = 3;
    write_synthetic_set(folder_ / "people", options);
    fs::create_directory(folder_ / "helpers");
  }
  ~Confine() override { ::unsetenv("LONGSHOT_HELPERS"); }

  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command, folder_.path());
  }
  void use_own_helpers() const { ::setenv("LONGSHOT_HELPERS", (folder_ / "helpers").c_str(), 1); }

  ScratchFolder folder_;
};

TEST_F(Confine, ChangesNoAnswer) {
  const std::string ask = "identify people --gallery g --size 7x6 --method slrfr --json -";
  ASSERT_EQ(run("--confine enroll people --gallery g").exit_code, 0);
  const ProgramResult here = run(ask);
  const ProgramResult there = run("--confine " + ask);
  EXPECT_EQ(there.exit_code, here.exit_code);
  EXPECT_EQ(there.out, here.out);
  EXPECT_THAT(here.out, HasSubstr("person_00001"));
}

TEST_F(Confine, APictureThatCrashesItsDecoderStopsNoOther) {
  fs::create_symlink(fs::path(LONGSHOT_PROGRAM).parent_path() / "longshot-misbehaving",
                     folder_ / "helpers/longshot-stills");
  fs::create_directory(folder_ / "pictures");
  write_file(folder_ / "pictures/crash.png", "bytes");
  write_file(folder_ / "pictures/well.png", "bytes");
  use_own_helpers();
  const ProgramResult made = run("--confine degrade pictures --size 2x2 --out small");
  EXPECT_EQ(made.exit_code, 1);
  EXPECT_THAT(made.err,
              HasSubstr("Cannot read pictures/crash.png: its decoder crashed (signal 6)"));
  EXPECT_TRUE(fs::exists(folder_ / "small/well.png"));
  EXPECT_FALSE(fs::exists(folder_ / "small/crash.png"));
}

TEST_F(Confine, WithoutItsHelperNothingIsDone) {
  use_own_helpers();
  for (const char* command : {"--confine enroll people --gallery g", "serve --gallery g"}) {
    const ProgramResult refused = run(command);
    EXPECT_EQ(refused.exit_code, 2) << command;
    EXPECT_THAT(refused.err, HasSubstr("longshot-stills is missing"));
    EXPECT_FALSE(fs::exists(folder_ / "g"));
  }
}

}  // namespace
}  // namespace longshot
