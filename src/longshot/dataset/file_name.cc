// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/file_name.h"

#include <algorithm>
#include <array>
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

bool is_camera_name(std::string_view stem) {
  constexpr std::array<std::string_view, 25> kBeginnings = {
      "img",  "image", "imag", "dsc",  "dscn",  "dscf",  "dcim",      "pict", "pic",
      "p",    "pxl",   "mvi",  "vid",  "cimg",  "gopr",  "sam",       "wp",   "dji",
      "scan", "photo", "foto", "crop", "frame", "video", "screenshot"};
  constexpr std::string_view kBetween = "0123456789_-. ()";
  constexpr std::size_t kFewestDigits = 3;  // of a name that begins with letters
  const std::string name = lower_case(stem);
  const std::size_t end = std::min(name.find_first_of(kBetween), name.size());
  std::string rest = name.substr(end);
  // WhatsApp: "IMG-20230501-WA0007".
  if (const std::size_t mark = rest.find("-wa"); mark != std::string::npos) rest.erase(mark, 3);
  if (rest.find_first_not_of(kBetween) != std::string::npos) return false;
  if (end == 0) return true;
  const auto digits =
      std::ranges::count_if(rest, [](char c) { return kDigits.find(c) != std::string_view::npos; });
  return static_cast<std::size_t>(digits) >= kFewestDigits &&
         std::ranges::find(kBeginnings, std::string_view(name).substr(0, end)) != kBeginnings.end();
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
