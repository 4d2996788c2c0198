// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace longshot {

// Checks the skeleton of a MATLAB file of version 5 to 7 (MathWorks, "MAT-File Format", chapter 1)
// before it is given to matio, which fills what is missing with whatever the memory held: the
// elements follow each other to the end of the file, compressed ones unpack with the right
// checksum, and every numeric array has as many values as its dimensions say. Returns the size of
// the file in bytes; throws Error for anything else.
std::uintmax_t check_mat_layout(const std::filesystem::path& file);

}  // namespace longshot
