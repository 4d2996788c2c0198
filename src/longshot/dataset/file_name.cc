// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/file_name.h"

#include <charconv>

namespace longshot {
namespace {

constexpr std::string_view kDigits = "0123456789";

}  // namespace

std::string subject_of_file(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  const std::size_t last = stem.find_last_not_of(kDigits);
  const bool numbered =
      last != std::string::npos && last + 1 < stem.size() && stem[last] == '_' && last > 0;
  return numbered ? stem.substr(0, last) : stem;
}

std::optional<int> whole_number(std::string_view digits) {
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  if (digits.find_first_not_of(kDigits) != std::string_view::npos) return std::nullopt;
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

}  // namespace longshot
