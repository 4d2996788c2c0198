// SPDX-License-Identifier: Apache-2.0
#include "run_program.h"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace longshot {
namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

ProgramResult run_longshot(const std::string& arguments, const std::string& folder) {
  const ScratchFolder outputs;
  const std::string command = "cd " + folder + " && " + LONGSHOT_PROGRAM + " " + arguments + " >" +
                              (outputs / "out").string() + " 2>" + (outputs / "err").string();
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content(outputs / "out"),
          content(outputs / "err")};
}

std::vector<std::string> listed_commands(const std::string& group) {
  std::istringstream lines(run_longshot(group + " --help").out);
  std::vector<std::string> commands;
  bool in_list = false;
  for (std::string line; std::getline(lines, line);) {
    if (in_list && line.starts_with("  ") && line[2] != ' ') {
      commands.push_back(line.substr(2, line.find(' ', 2) - 2));
    }
    in_list = in_list || line.starts_with("Subcommands:");
  }
  return commands;
}

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "longshot-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace longshot
