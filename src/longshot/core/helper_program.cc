// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <mutex>
#include <vector>

#include <dlfcn.h>
#include <unistd.h>

#include "longshot/core/confined_process.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

struct ChosenFolder {
  std::mutex mutex;
  fs::path path;  // guarded by mutex
};

// There before whatever calls first, be that at the start of a program.
ChosenFolder& chosen_folder() {
  static ChosenFolder folder;
  return folder;
}

// Of the program or shared library that this code is in.
fs::path own_folder() {
  Dl_info about{};
  if (::dladdr(reinterpret_cast<const void*>(&find_helper), &about) == 0 || !about.dli_fname) {
    return {};
  }
  std::error_code ignored;
  return fs::canonical(about.dli_fname, ignored).parent_path();
}

fs::path program_folder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::vector<fs::path> helper_folders() {
  {
    ChosenFolder& chosen = chosen_folder();
    const std::lock_guard<std::mutex> lock(chosen.mutex);
    if (!chosen.path.empty()) return {chosen.path};
  }
  if (const char* named = std::getenv("LONGSHOT_HELPERS")) return {named};
  // Installed, a program is in bin and the library in lib, whose folder longshot has the helpers; a
  // wheel of Python has them beside the library.
  return {program_folder(), own_folder(), own_folder() / "longshot",
          program_folder() / LONGSHOT_HELPERS_FROM_PROGRAM, LONGSHOT_HELPERS_INSTALLED};
}

}  // namespace

void set_helper_folder(const fs::path& folder) {
  ChosenFolder& chosen = chosen_folder();
  const std::lock_guard<std::mutex> lock(chosen.mutex);
  chosen.path = folder;
}

fs::path find_helper(const std::string& program) {
  for (const fs::path& folder : helper_folders()) {
    const fs::path path = folder / program;
    if (!folder.empty() && ::access(path.c_str(), X_OK) == 0) return path.lexically_normal();
  }
  throw Error(ErrorKind::not_found,
              "The program {} is missing, which reads such files: install longshot, or name its "
              "folder in LONGSHOT_HELPERS.",
              program);
}

}  // namespace longshot
