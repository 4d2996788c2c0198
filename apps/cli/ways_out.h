// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <CLI/CLI.hpp>

namespace longshot::cli {

// The options of this command, and of those after it that were typed, are ways out from now on.
void offer_options_of(const CLI::App& command);

// A sentence of the library says what may be done, not by which option: that is said here, behind
// the words, where the command has that option. "state its eyes (--eyes lx,ly,rx,ry)".
std::string with_ways_out(std::string_view sentence);

}  // namespace longshot::cli
