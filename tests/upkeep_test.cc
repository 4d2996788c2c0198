// SPDX-License-Identifier: Apache-2.0
// longshot gallery, and people merge, over synthetic people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.h"

namespace longshot {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class UpkeepCommand : public testing::Test {
 protected:
  UpkeepCommand() {
    run("synth --people 3 --photos 2 --out people");
    run("enroll people --person-from folder --force --gallery a.gallery");
  }
  ProgramResult run(const std::string& arguments) const {
    return run_longshot(arguments, folder_.path());
  }
  json answer(const std::string& arguments) const {
    const ProgramResult result = run("gallery " + arguments + " --json");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json::parse(result.out, nullptr, false);
  }

  ScratchFolder folder_;
};

TEST_F(UpkeepCommand, KeepsHouse) {
  const json checked = answer("check a.gallery");
  EXPECT_EQ(checked["people"], 3);
  EXPECT_EQ(checked["photos"], 3);
  run("identify people/person_00000 --size 12x10 --method subspace --gallery a.gallery");
  const json compacted = answer("compact a.gallery --cache 0");
  EXPECT_EQ(compacted["forgotten"], json({"subspace 12x10"}));
  EXPECT_LE(compacted["bytes_after"], compacted["bytes_before"]);
  EXPECT_EQ(answer("backup a.gallery --out copy.gallery")["backup"], "copy.gallery");
  EXPECT_EQ(answer("check copy.gallery")["photos"], 3);
  EXPECT_EQ(answer("export a.gallery --out faces")["photos"], 3);
  EXPECT_EQ(answer("import b.gallery --from faces")["people"], 3);
  const ProgramResult again = run("gallery import b.gallery --from a.gallery");
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("already there"));
  const ProgramResult merged =
      run("people merge person_00000 person_00001 --gallery b.gallery --json");
  EXPECT_EQ(json::parse(merged.out, nullptr, false)["photos"], 2) << merged.err;
  EXPECT_EQ(answer("check b.gallery")["people"], 2);
}

TEST_F(UpkeepCommand, RefusesInOneSentence) {
  for (const char* arguments :
       {"check none", "backup a.gallery --out a.gallery", "export a.gallery --out people",
        "export a.gallery --templates --out t.gallery", "import c.gallery --from people/none",
        "compact a.gallery --cache -1", "backup a.gallery"}) {
    const ProgramResult result = run(std::string("gallery ") + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c.gallery"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "t.gallery"));
}

}  // namespace
}  // namespace longshot
