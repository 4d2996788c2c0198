// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace longshot {

// The whole file. Throws Error if it cannot be read, is a folder, or holds more than max_bytes.
std::string read_file(const std::filesystem::path& path,
                      std::uintmax_t max_bytes = std::uintmax_t{1} << 30);

// Writes beside the target, flushes to disk and renames, so that a reader sees the old file or the
// new one and never a part. Throws Error (disk full, no such folder, ...) and leaves no temporary.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace longshot
