// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace longshot {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  std::string out;
  std::string err;
};

// Runs the built program through the shell, as a user does; `arguments` follow the program's name.
// In that folder, or in the test's own.
ProgramResult run_longshot(const std::string& arguments, const std::string& folder = ".");

// The commands that `longshot --help` lists, or those that the help of a group of them does.
std::vector<std::string> listed_commands(const std::string& group = "");

// An empty folder of its own for the running test, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace longshot
