// SPDX-License-Identifier: Apache-2.0
// How the program was compiled and linked, as readelf sees it: docs/security.md says what for.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"

#include "run_program.h"

namespace longshot {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string readelf(const std::string& what) {
  const ScratchFolder folder;
  const std::string command =
      "LC_ALL=C readelf --wide " + what + " " + LONGSHOT_PROGRAM + " >" + (folder / "out").string();
  EXPECT_EQ(std::system(command.c_str()), 0);
  return read_file(folder / "out");
}

TEST(Hardening, TheProgramMayLieAnywhere) {
  EXPECT_THAT(readelf("--file-header"), ContainsRegex("Type: +DYN"));
}

TEST(Hardening, WhatTheLinkerWritesIsWrittenOnce) {
  EXPECT_THAT(readelf("--program-headers"), HasSubstr("GNU_RELRO"));
  EXPECT_THAT(readelf("--dynamic"), ContainsRegex("FLAGS.*NOW"));
}

TEST(Hardening, NoDataIsRun) {
  EXPECT_THAT(readelf("--program-headers"), ContainsRegex("GNU_STACK[^\n]* RW "));
  EXPECT_THAT(readelf("--program-headers"), Not(ContainsRegex("LOAD[^\n]* RWE ")));
}

TEST(Hardening, StacksAreChecked) {
  EXPECT_THAT(readelf("--dyn-syms"), HasSubstr("__stack_chk_fail"));
}

}  // namespace
}  // namespace longshot
