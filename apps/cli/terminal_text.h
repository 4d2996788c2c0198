// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace longshot::cli {

// Paths, names and messages as a terminal may have them: characters that would control it, end the
// line or turn the direction of writing become \u009b, bytes that are no UTF-8 become \xff. Inside
// a JSON document the escapes mean the same characters as before.
std::string shown(std::string_view text);

// The same for a text of several lines, which stay lines.
std::string shown_lines(std::string_view text);

// "1 photo", "2 photos".
std::string counted(std::ptrdiff_t count, std::string_view one, std::string_view many);

// One line on stderr, with the options that are ways out; if that is closed or full, nobody is
// there to be told.
void print_message(std::string_view text);

// Text of our own on stderr, as it is.
void print_raw(std::string_view text);

}  // namespace longshot::cli
