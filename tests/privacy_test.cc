// SPDX-License-Identifier: Apache-2.0
// What the program leaves on the disk and on the terminal of the people it knows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "longshot/core/file.h"
#include "longshot/dataset/csv.h"
#include "longshot/image/image_io.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// U+009B begins a control sequence, U+202E turns what follows around; ESC [ 2 J empties the screen.
constexpr const char* kEvil =
    "a\x1B[2Jb\xC2\x9B"
    "31mc\xE2\x80\xAE"
    "gpj";

class Privacy : public testing::Test {
 protected:
  Privacy() {
    SyntheticSetOptions options;
    options.people = 22;
    options.photos = 2;
    write_synthetic_set(folder_ / "people", options);
  }
  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command, folder_.path());
  }
  unsigned mode_of(const std::string& name) const {
    struct stat status {};
    EXPECT_EQ(::stat((folder_ / name).c_str(), &status), 0) << name;
    return status.st_mode & 0777U;
  }
  // Nothing that a terminal would obey.
  static void expect_clean(const std::string& text) {
    for (const char* raw : {"\x1B", "\xC2\x9B", "\xE2\x80\xAE"}) {
      EXPECT_THAT(text, Not(HasSubstr(raw)));
    }
  }

  ScratchFolder folder_;
};

TEST_F(Privacy, WhatHoldsFacesOrNamesIsItsOwners) {
  ASSERT_EQ(run("train people --out m.model").exit_code, 0);
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  ASSERT_EQ(run("identify people/person_00000 --aligned --gallery g --size 7x6 --method slrfr "
                "--csv a.csv "
                "--json a.json")
                .exit_code,
            0);
  ASSERT_EQ(run("people list --gallery g --json p.json").exit_code, 0);
  ASSERT_EQ(run("evaluate --protocol roles --data people --methods subspace --sizes 7x6 --report "
                "r.html --csv e.csv --scores s.csv --json e.json")
                .exit_code,
            0);
  for (const char* name :
       {"m.model", "g", "a.csv", "a.json", "p.json", "r.html", "e.csv", "s.csv", "e.json"}) {
    EXPECT_EQ(mode_of(name), 0600U) << name;
  }
  EXPECT_THAT(read_file(folder_ / "r.html"), HasSubstr("This page holds faces"));
}

TEST_F(Privacy, NoPathReachesTheTerminalRaw) {
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  fs::create_directories(folder_ / "probes");
  fs::copy(folder_ / "people/person_00000/00.png",
           folder_ / ("probes/" + std::string(kEvil) + ".png"));
  write_file(folder_ / ("probes/x\nlongshot: forged" + std::string(kEvil) + ".png"), "none");
  for (const char* format : {"", " --json"}) {
    const ProgramResult result = run(
        "identify probes --aligned --gallery g --size 7x6 --method slrfr" + std::string(format));
    EXPECT_EQ(result.exit_code, 1) << result.err;
    expect_clean(result.out);
    expect_clean(result.err);
    EXPECT_THAT(result.out, HasSubstr("\\u009b31mc\\u202egpj"));
    EXPECT_THAT(result.err, HasSubstr("x\\u000alongshot: forged"));
    EXPECT_THAT(result.out, Not(HasSubstr("\nlongshot: forged")));
  }
  const json answer = json::parse(
      run("identify probes --aligned --gallery g --size 7x6 --method slrfr --json").out);
  EXPECT_THAT(answer["probes"][0]["path"].get<std::string>(), HasSubstr(kEvil));
  const ProgramResult missing = run("identify '" + std::string(kEvil) + "' --gallery g");
  EXPECT_EQ(missing.exit_code, 2);
  expect_clean(missing.err);
  const ProgramResult usage = run("'" + std::string(kEvil) + "'");
  EXPECT_EQ(usage.exit_code, 2);
  expect_clean(usage.err);
}

TEST_F(Privacy, NoNameReachesTheTerminalRaw) {
  const std::string name =
      "\xE2\x80\xAE"
      "anna\xE2\x81\xA6";
  ASSERT_EQ(run("enroll people/person_00000/00.png --aligned --person '" + name + "' --gallery g")
                .exit_code,
            0);
  for (const char* command : {"people list", "people show", "people list --json"}) {
    const bool show = std::string(command) == "people show";
    const ProgramResult result =
        run(std::string(command) + (show ? " '" + name + "'" : "") + " --gallery g");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("\\u202eanna\\u2066"));
  }
  EXPECT_EQ(json::parse(run("people list --json --gallery g").out)["people"][0]["name"], name);
}

TEST_F(Privacy, NoCellOfTheAnswersIsAFormula) {
  ASSERT_EQ(
      run("enroll people/person_00000/00.png --aligned --person '=1+1' --gallery g").exit_code, 0);
  ASSERT_EQ(run("enroll people/person_00001/00.png --aligned --person '@b' --gallery g").exit_code,
            0);
  fs::copy(folder_ / "people/person_00000/01.png", folder_ / "+probe.png");
  ASSERT_EQ(run("identify +probe.png --aligned --gallery g --size 7x6 --method slrfr --csv a.csv")
                .exit_code,
            0);
  for (const CsvRecord& record : parse_csv(read_file(folder_ / "a.csv"))) {
    EXPECT_THAT(record.fields[0], testing::AnyOf("path", "'+probe.png"));
    EXPECT_THAT(record.fields[4], testing::AnyOf("person", "'=1+1", "'@b"));
  }
}

TEST_F(Privacy, ARenamedPersonIsNowhereUnderTheOldName) {
  ASSERT_EQ(run("enroll people --gallery g").exit_code, 0);
  ASSERT_EQ(run("people rename person_00003 'Somebody else' --gallery g").exit_code, 0);
  EXPECT_THAT(run("people show 'Somebody else' --gallery g").out, Not(HasSubstr("person_00003")));
  EXPECT_THAT(read_file(folder_ / "g"), Not(HasSubstr("person_00003")));
  EXPECT_THAT(run("people show person_00004 --gallery g").out, HasSubstr("person_00004/00.png"));
}

TEST_F(Privacy, NumberedPhotosAreNobodyUntilSomebodySaysWho) {
  const ProgramResult refused = run("enroll people/person_00000 --gallery g");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("from the folder (--person-from folder), \"person_00000\""));
  EXPECT_FALSE(fs::exists(folder_ / "g"));
  EXPECT_EQ(run("enroll people/person_00000 --person-from folder --aligned --gallery g").exit_code,
            0);
  const json people = json::parse(run("people list --json --gallery g").out)["people"];
  ASSERT_EQ(people.size(), 1U);
  EXPECT_EQ(people[0]["name"], "person_00000");
  EXPECT_EQ(people[0]["photos"], 2);
  EXPECT_EQ(run("enroll people/person_00001 --person-from stem --aligned --gallery h").exit_code,
            0);
  EXPECT_EQ(json::parse(run("people list --json --gallery h").out)["people"].size(), 2U);
  EXPECT_EQ(run("enroll people/person_00001 --person-from magic --gallery h").exit_code, 2);
}

}  // namespace
}  // namespace longshot
