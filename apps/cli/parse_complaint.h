// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace longshot::cli {

// What is wrong with the command line, in one sentence: a command or option that does not exist
// with the nearest one that does, or otherwise what the parser says.
std::string parse_complaint(const CLI::App& app, const CLI::ParseError& error);

}  // namespace longshot::cli
