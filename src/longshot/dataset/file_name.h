// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace longshot {

// "person.jpg" and "person_2.jpg" -> "person".
std::string subject_of_file(const std::filesystem::path& file);

// Whether the name without its ending is one that a camera or telephone gives: numbers alone, or
// what they begin with and numbers ("IMG_2042", "DSC0001", "PXL_20230501_101500123").
bool is_camera_name(std::string_view stem);

// "007" -> 7; nothing for signs, spaces, no digit at all or more than nine of them.
std::optional<int> whole_number(std::string_view digits);

// ASCII letters in lower case; other bytes as they are.
std::string lower_case(std::string_view text);

}  // namespace longshot
