// SPDX-License-Identifier: Apache-2.0
// The audit log from the command line.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/file.h"
#include "longshot/synthetic/synthetic_set.h"

#include "run_program.h"

namespace longshot {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class Audit : public testing::Test {
 protected:
  Audit() {
    SyntheticSetOptions options;
    options.people = 3;
    options.photos = 2;
    write_synthetic_set(folder_ / "people", options);
    run("enroll people --gallery g");
  }
  ProgramResult run(const std::string& command) const {
    return run_longshot("--quiet " + command, folder_.path());
  }
  json entries(const std::string& options = "") const {
    const ProgramResult shown = run("audit show g --json " + options);
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return json::parse(shown.out, nullptr, false)["entries"];
  }

  ScratchFolder folder_;
};

TEST_F(Audit, CommandsLeaveTheirLines) {
  EXPECT_EQ(run("audit verify g").err, "longshot: The gallery g has no audit log.\n");
  EXPECT_EQ(run("gallery set g audit on").out, "g: audit is on\n");
  ASSERT_EQ(
      run("identify people/person_00001/00.png --gallery g --size 12x10 --method slrfr").exit_code,
      0);
  ASSERT_EQ(run("people rename person_00001 anna --gallery g").exit_code, 0);
  ASSERT_EQ(run("people remove anna --gallery g").exit_code, 0);
  EXPECT_EQ(run("audit verify g").out, "whole: 4 lines\n");
  EXPECT_EQ(run("audit verify g.audit").out, "whole: 4 lines\n");
  const json all = entries();
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0]["act"], "remove");
  EXPECT_EQ(all[3]["act"], "audit on");
  EXPECT_EQ(entries("--person anna").size(), 2U);
  EXPECT_EQ(entries("--act rename").size(), 1U);
  EXPECT_EQ(entries("--input people/person_00001/00.png")[0]["act"], "identify");
  EXPECT_EQ(entries("--last 1").size(), 1U);
  EXPECT_EQ(entries("--before 2").size(), 1U);
  EXPECT_THAT(run("audit show g").out, HasSubstr("  rename  revision "));
  EXPECT_THAT(read_file(folder_ / "g.audit"), Not(HasSubstr("anna")));
}

TEST_F(Audit, WhatWasChangedIsFound) {
  run("gallery set g audit on");
  run("people rename person_00001 anna --gallery g");
  std::string log = read_file(folder_ / "g.audit");
  const std::size_t at = log.find("rename");
  ASSERT_NE(at, std::string::npos);
  log.replace(at, 6, "remove");
  write_file(folder_ / "g.audit", log);
  const ProgramResult verified = run("audit verify g");
  EXPECT_EQ(verified.exit_code, 2);
  EXPECT_EQ(verified.out, "NOT WHOLE. Line 2 was changed.\n");
  EXPECT_EQ(json::parse(run("audit verify g --json").out, nullptr, false)["whole"], false);
  write_file(folder_ / "g.audit", "");
  EXPECT_EQ(run("audit verify g").out, "NOT WHOLE. Lines 1 to 2 are missing at the end.\n");
  const ProgramResult refused = run("people remove anna --gallery g");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("Refused, as remove cannot be logged"));
  EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1);
  EXPECT_THAT(run("people list --gallery g").out, HasSubstr("anna"));
}

TEST_F(Audit, BadUsageIsRefused) {
  for (const char* command :
       {"gallery set g audit maybe", "gallery set g colour on", "gallery set g", "audit show g",
        "audit verify none", "audit", "audit show g --last 0"}) {
    const ProgramResult result = run(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.out, "") << command;
  }
}

}  // namespace
}  // namespace longshot
