// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_types.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kMaxSide = 10000;
constexpr std::size_t kMaxNameBytes = 255;

// The length of the UTF-8 sequence at the front of a text that is not empty (RFC 3629, section 4),
// 0 if there is none: overlong forms, surrogates and values above U+10FFFF are none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const auto follows = [&](std::size_t i, unsigned low = 0x80U, unsigned high = 0xBFU) {
    return byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return follows(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    const unsigned low = first == 0xE0U ? 0xA0U : 0x80U;
    const unsigned high = first == 0xEDU ? 0x9FU : 0xBFU;
    return follows(1, low, high) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    const unsigned low = first == 0xF0U ? 0x90U : 0x80U;
    const unsigned high = first == 0xF4U ? 0x8FU : 0xBFU;
    return follows(1, low, high) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20U || c == '\x7f';
}

}  // namespace

void GalleryOptions::check() const {
  if (wait_ms < 0 || wait_ms > 3600000) {
    throw Error("wait_ms must be between 0 and 3600000, not {}.", wait_ms);
  }
  if (cache_mb < 1 || cache_mb > 4096) {
    throw Error("cache_mb must be between 1 and 4096, not {}.", cache_mb);
  }
}

std::string utc_time(std::int64_t seconds) {
  const std::time_t time = seconds;
  std::tm parts{};
  if (gmtime_r(&time, &parts) == nullptr) return "";
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", parts);
}

void check_person_name(std::string_view name) {
  if (name.empty()) throw Error("A person needs a name that is not empty.");
  if (name.size() > kMaxNameBytes) {
    throw Error("The name of a person may have {} bytes, not {}.", kMaxNameBytes, name.size());
  }
  if (!is_utf8(name)) throw Error("The name of a person must be UTF-8 text.");
  if (std::ranges::any_of(name, is_control)) {
    throw Error("The name of a person must not hold line ends or other control characters.");
  }
  if (name.front() == ' ' || name.back() == ' ') {
    throw Error("The name \"{}\" must not begin or end with a space.", name);
  }
}

void Photo::check() const {
  if (rows < 1 || rows > kMaxSide || cols < 1 || cols > kMaxSide) {
    throw Error("A face of {}x{} pixels cannot be kept: 1x1 to {}x{} can.", rows, cols, kMaxSide,
                kMaxSide);
  }
  if (static_cast<Index>(pixels.size()) != rows * cols) {
    throw Error("A face of {}x{} pixels has {} values.", rows, cols, pixels.size());
  }
  const auto finite = [](double value) { return std::isfinite(value); };
  if (eyes && !std::ranges::all_of(*eyes, finite)) throw Error("The eyes must be finite numbers.");
  for (const auto& [name, figure] : quality) {
    if (!finite(figure)) throw Error("The quality figure {} must be a finite number.", name);
    if (!is_utf8(name)) throw Error("The name of a quality figure must be UTF-8 text.");
  }
}

}  // namespace longshot
