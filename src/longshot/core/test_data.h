// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: where the real faces are, if they are there.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace longshot {

// $LONGSHOT_DATA, or shared/data beside the source tree. Tests without it say so and are skipped.
inline std::optional<std::filesystem::path> test_data(const std::string& part) {
  const char* named = std::getenv("LONGSHOT_DATA");
  const std::filesystem::path root =
      named != nullptr ? named : LONGSHOT_SOURCE_DIR "/../shared/data";
  const std::filesystem::path path = root / part;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace longshot
