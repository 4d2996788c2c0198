// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace longshot {

// "person.jpg" and "person_2.jpg" -> "person".
std::string subject_of_file(const std::filesystem::path& file);

// "007" -> 7; nothing for signs, spaces, no digit at all or more than nine of them.
std::optional<int> whole_number(std::string_view digits);

// ASCII letters in lower case; other bytes as they are.
std::string lower_case(std::string_view text);

}  // namespace longshot
