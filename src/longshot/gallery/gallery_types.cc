// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_types.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>

#include "longshot/core/error.h"
#include "longshot/core/utf8.h"

namespace longshot {
namespace {

constexpr Index kMaxSide = 10000;
constexpr std::size_t kMaxNameBytes = 255;

bool holds_control(std::string_view text) {
  while (!text.empty()) {
    if (is_control(utf8_front(text))) return true;
    text.remove_prefix(utf8_length(text));
  }
  return false;
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

std::int64_t utc_seconds(const std::string& time) {
  std::tm parts{};
  const char* end = strptime(time.c_str(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  if (end == nullptr || *end != '\0') throw Error("\"{}\" is not a time of a gallery.", time);
  return timegm(&parts);
}

void check_person_name(std::string_view name) {
  if (name.empty()) throw Error("A person needs a name that is not empty.");
  if (name.size() > kMaxNameBytes) {
    throw Error("The name of a person may have {} bytes, not {}.", kMaxNameBytes, name.size());
  }
  if (!is_utf8(name)) throw Error("The name of a person must be UTF-8 text.");
  if (holds_control(name)) {
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
