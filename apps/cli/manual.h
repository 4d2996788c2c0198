// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>

namespace longshot::cli {

// The manual page of the program, or of one of its commands, for man(1): what --help says.
std::string manual_page(const CLI::App& app);

// longshot.1 and one longshot-COMMAND.1 for each command, in a folder that is made if there is
// none.
void write_manual(const CLI::App& app, const std::filesystem::path& folder);

}  // namespace longshot::cli
