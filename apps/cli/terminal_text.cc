// SPDX-License-Identifier: Apache-2.0
#include "terminal_text.h"

#include <cstdio>

#include <fmt/format.h>

#include "longshot/core/utf8.h"

#include "ways_out.h"

namespace longshot::cli {
namespace {

// Unicode's controls of direction (UAX #9), and its line ends.
bool misleads(char32_t c) {
  return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string cleaned(std::string_view text, bool keep_lines) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) {
      clean += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const char32_t character = utf8_front(text);
    if ((is_control(character) && !(keep_lines && character == U'\n')) || misleads(character)) {
      clean += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return clean;
}

}  // namespace

std::string shown(std::string_view text) {
  return cleaned(text, false);
}

std::string shown_lines(std::string_view text) {
  return cleaned(text, true);
}

std::string counted(std::ptrdiff_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void print_message(std::string_view text) {
  print_raw(fmt::format("longshot: {}\n", shown(with_ways_out(text))));
}

void print_raw(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace longshot::cli
