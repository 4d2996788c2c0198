// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace longshot::cli {

// Two words that are no commands, as nobody types them, and tell what the commands are:
//   longshot complete WORD...   what the last word may become, for the completion of shells
//   longshot manual FOLDER      writes the manual pages
// Returns the exit code, or nothing if `arguments` (the whole command line) ask for neither.
std::optional<int> describe_itself(const CLI::App& app, const std::vector<std::string>& arguments);

}  // namespace longshot::cli
