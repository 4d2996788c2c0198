// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map_io.h"

#include <cstdint>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/framed_file.h"

namespace longshot {
namespace {

// 1: no length, and a checksum of its own
constexpr FileFormat kFormat = {"LSNORMAL", 2, "a normal map", "of longshot",
                                std::uint64_t{2} << 30};
constexpr std::uint32_t kLargestMapSide = 4096;

// FNV-1a, the checksum of version 1.
std::uint64_t old_checksum(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  return hash;
}

// The content of a file of version 1.
std::string_view old_content(std::string_view bytes, std::string_view name) {
  constexpr std::size_t kChecksumBytes = 8;
  ByteReader reader(bytes, name);
  reader.take(kFormat.magic.size() + sizeof(kFormat.version));
  if (reader.left() < kChecksumBytes) reader.refuse("its length does not fit its header");
  const std::string_view content = reader.take(reader.left() - kChecksumBytes);
  if (reader.number<std::uint64_t>() !=
      old_checksum(bytes.substr(0, bytes.size() - kChecksumBytes))) {
    reader.refuse("its checksum is wrong");
  }
  return content;
}

std::size_t body_bytes(std::size_t pixels, bool has_covariance) {
  return pixels * (3 * sizeof(double) + 1 + (has_covariance ? 6 * sizeof(double) : 0));
}

NormalMap decode_content(ByteReader& reader) {
  const Index rows = reader.count(kLargestMapSide);
  const Index cols = reader.count(kLargestMapSide);
  const bool has_covariance = reader.flag();
  NormalMap map;
  map.size = {rows, cols};
  for (double* value : {&map.frame.eyes.left.x, &map.frame.eyes.left.y, &map.frame.eyes.right.x,
                        &map.frame.eyes.right.y, &map.frame.aspect}) {
    *value = reader.number<double>();
  }
  const auto pixels = static_cast<std::size_t>(map.size.pixels());
  if (pixels < 1 || reader.left() != body_bytes(pixels, has_covariance)) {
    reader.refuse("its sizes do not fit its length");
  }
  map.normals = reader.values(3, pixels);
  map.mask.resize(map.size.pixels());
  for (double& value : map.mask) value = reader.number<char>();
  map.covariance = reader.values(6, has_covariance ? pixels : 0);
  return map;
}

}  // namespace

std::string encode_normal_map(const NormalMap& map) {
  map.check();
  if (map.size.rows > kLargestMapSide || map.size.cols > kLargestMapSide) {
    throw Error("A normal map of {} is too large for a file: at most {} a side.",
                to_string(map.size), kLargestMapSide);
  }
  const bool has_covariance = map.covariance.cols() > 0;
  ByteWriter content;
  content.count(map.size.rows);
  content.count(map.size.cols);
  content.count(has_covariance ? 1 : 0);
  const Eyes& eyes = map.frame.eyes;
  for (const double value :
       {eyes.left.x, eyes.left.y, eyes.right.x, eyes.right.y, map.frame.aspect}) {
    content.number(value);
  }
  content.values(map.normals);
  for (const double value : map.mask) content.number(static_cast<char>(value));
  if (has_covariance) content.values(map.covariance);
  return frame_file(kFormat, content.take());
}

NormalMap decode_normal_map(std::string_view bytes, std::string_view name) {
  const bool old = framed_version(kFormat, bytes, name) == 1;
  ByteReader reader(old ? old_content(bytes, name) : unframe_file(kFormat, bytes, name).content,
                    name);
  NormalMap map = decode_content(reader);
  map.check();
  return map;
}

void write_normal_map(const std::filesystem::path& path, const NormalMap& map) {
  write_file(path, encode_normal_map(map));
}

NormalMap read_normal_map(const std::filesystem::path& path) {
  return decode_normal_map(read_file(path, kFormat.most_bytes), path.string());
}

}  // namespace longshot
