// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "longshot/relight/normal_map.h"

namespace longshot {

// A normal map as a framed file (core/framed_file.h) of magic "LSNORMAL", now of version 2: rows,
// columns, whether there is a covariance (u32 each), eyes and aspect of the frame (5 f64), normals
// (3 f64 a pixel), mask (one byte a pixel), covariance (6 f64 a pixel). Version 1 had no length and
// an FNV-1a checksum (u64).

void write_normal_map(const std::filesystem::path& path, const NormalMap& map);
std::string encode_normal_map(const NormalMap& map);

// Throws Error, naming the file, for anything but an undamaged file of a version we know.
NormalMap read_normal_map(const std::filesystem::path& path);
NormalMap decode_normal_map(std::string_view bytes, std::string_view name);

}  // namespace longshot
