// SPDX-License-Identifier: Apache-2.0
// The manual pages say what --help says, and man(1) can show them.
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"

#include "run_program.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Manual : public testing::Test {
 protected:
  Manual() { EXPECT_EQ(run_longshot("manual " + (folder_ / "man").string()).exit_code, 0); }
  std::string page(const std::string& name) const {
    return read_file(folder_ / ("man/" + name + ".1"));
  }

  ScratchFolder folder_;
};

std::string for_troff(const std::string& text) {
  return std::regex_replace(text, std::regex("-"), "\\-");
}

TEST_F(Manual, EveryCommandHasAPageWithAllOptionsOfItsHelp) {
  const std::vector<std::string> commands = listed_commands();
  EXPECT_GE(commands.size(), 15U);
  for (const std::string& command : commands) {
    const std::string text = page("longshot-" + command);
    EXPECT_THAT(text, HasSubstr(".SH NAME\nlongshot\\-" + command));
    EXPECT_THAT(text, HasSubstr(".SH EXAMPLE\n")) << command;
    EXPECT_THAT(page("longshot"), HasSubstr("longshot\\-" + command));
    std::istringstream lines(run_longshot(command + " --help").out);
    const std::regex option("^  (?:-[a-zA-Z],)?(--[a-z-]+).*");
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (!std::regex_match(line, match, option)) continue;
      EXPECT_THAT(text, HasSubstr(for_troff(match[1]))) << command;
    }
  }
}

TEST_F(Manual, GroupsTellTheirCommandsInFull) {
  const std::string text = page("longshot-people");
  EXPECT_THAT(text, HasSubstr(".SS remove\n"));
  EXPECT_THAT(text, HasSubstr("\\-\\-photo"));
}

TEST_F(Manual, ManShowsEveryPageWithoutAWarning) {
  if (std::system("command -v man >/dev/null") != 0) GTEST_SKIP() << "skipped: no man(1)";
  for (const auto& entry : fs::directory_iterator(folder_ / "man")) {
    const std::string out = (folder_ / "warnings").string();
    const std::string command = "LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z " +
                                entry.path().string() + " 2>" + out + " >/dev/null";
    EXPECT_EQ(std::system(command.c_str()), 0) << entry.path();
    EXPECT_EQ(read_file(out), "") << entry.path();
  }
}

}  // namespace
}  // namespace longshot
