// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace longshot {

// Checks the skeleton of a MATLAB file before a library is let loose on it: the header is that of
// version 5 to 7, and its elements follow each other to the end of the file (MathWorks, "MAT-File
// Format", chapter 1). Returns the size of the file in bytes; throws Error for anything else.
std::uintmax_t check_mat_layout(const std::filesystem::path& file);

}  // namespace longshot
