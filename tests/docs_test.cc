// SPDX-License-Identifier: Apache-2.0
// docs/interface.md and --help must name the same options.
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "longshot/core/file.h"

#include "run_program.h"

namespace longshot {
namespace {

using Options = std::set<std::string>;

// The options of every section "### longshot COMMAND" (empty for the program's own).
std::map<std::string, Options> documented_options() {
  std::map<std::string, Options> commands;
  std::istringstream lines(read_file(LONGSHOT_SOURCE_DIR "/docs/interface.md"));
  const std::regex heading("^### longshot ?(\\S*)$");
  const std::regex row("^\\| `(--[a-z-]+)` \\|.*");
  std::string command = "-";
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, heading)) {
      command = match[1];
      commands[command];
    } else if (line.starts_with("## ")) {
      command = "-";
    } else if (command != "-" && std::regex_match(line, match, row)) {
      commands[command].insert(match[1]);
    }
  }
  return commands;
}

Options options_in_help(const std::string& command) {
  std::istringstream lines(run_longshot(command + " --help").out);
  Options options;
  const std::regex option("^  (?:-[hV],)?(--[a-z-]+).*");
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_match(line, match, option) && match[1] != "--help") options.insert(match[1]);
  }
  return options;
}

TEST(Docs, InterfaceNamesTheOptionsOfHelp) {
  const std::map<std::string, Options> documented = documented_options();
  EXPECT_GE(documented.size(), 8U);
  for (const auto& [command, options] : documented) {
    EXPECT_EQ(options_in_help(command), options) << "longshot " << command;
  }
}

TEST(Docs, EveryCommandIsDocumented) {
  const std::map<std::string, Options> documented = documented_options();
  std::istringstream lines(run_longshot("--help").out);
  const std::regex command("^  ([a-z]+) .*");
  bool in_list = false;
  int found = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (line.starts_with("Subcommands:")) in_list = true;
    if (in_list && std::regex_match(line, match, command)) {
      EXPECT_TRUE(documented.contains(match[1])) << match[1];
      ++found;
    }
  }
  EXPECT_GE(found, 7);
}

}  // namespace
}  // namespace longshot
