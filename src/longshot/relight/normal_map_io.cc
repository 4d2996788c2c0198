// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map_io.h"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

constexpr std::string_view kMagic = "LSNORMAL";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint32_t kLargestMapSide = 4096;
constexpr std::size_t kHeaderBytes = kMagic.size() + 4 * 4 + 5 * 8;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::uintmax_t kMostMapBytes = std::uintmax_t{2} << 30;

static_assert(std::endian::native == std::endian::little, "files are written as memory holds them");

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  }
  return hash;
}

template <typename T>
void append(std::string& bytes, const T& value) {
  static_assert(std::is_arithmetic_v<T>);
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void append(std::string& bytes, const Matrix& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()),
               static_cast<std::size_t>(values.size()) * sizeof(double));
}

// Takes values off the front; the caller has made sure that they are there.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T take() {
    T value;
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_.remove_prefix(sizeof(T));
    return value;
  }

  Matrix take_matrix(Index rows, Index cols) {
    Matrix values(rows, cols);
    const std::size_t size = static_cast<std::size_t>(values.size()) * sizeof(double);
    if (size > 0) std::memcpy(values.data(), rest_.data(), size);
    rest_.remove_prefix(size);
    return values;
  }

 private:
  std::string_view rest_;
};

std::size_t body_bytes(std::size_t pixels, bool has_covariance) {
  return pixels * (3 * sizeof(double) + 1 + (has_covariance ? 6 * sizeof(double) : 0));
}

}  // namespace

std::string encode_normal_map(const NormalMap& map) {
  map.check();
  if (map.size.rows > kLargestMapSide || map.size.cols > kLargestMapSide) {
    throw Error("A normal map of {} is too large for a file: at most {} a side.",
                to_string(map.size), kLargestMapSide);
  }
  const bool has_covariance = map.covariance.cols() > 0;
  std::string bytes(kMagic);
  bytes.reserve(kHeaderBytes + kChecksumBytes +
                body_bytes(static_cast<std::size_t>(map.size.pixels()), has_covariance));
  append(bytes, kVersion);
  append(bytes, static_cast<std::uint32_t>(map.size.rows));
  append(bytes, static_cast<std::uint32_t>(map.size.cols));
  append(bytes, static_cast<std::uint32_t>(has_covariance));
  const Eyes& eyes = map.frame.eyes;
  for (const double value :
       {eyes.left.x, eyes.left.y, eyes.right.x, eyes.right.y, map.frame.aspect}) {
    append(bytes, value);
  }
  append(bytes, map.normals);
  for (const double value : map.mask) append(bytes, static_cast<char>(value));
  if (has_covariance) append(bytes, map.covariance);
  append(bytes, fnv1a(bytes));
  return bytes;
}

NormalMap decode_normal_map(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with(kMagic) || bytes.size() < kHeaderBytes + kChecksumBytes) {
    throw Error("{} is not a normal map of longshot.", name);
  }
  Cursor cursor(bytes.substr(kMagic.size()));
  const auto version = cursor.take<std::uint32_t>();
  if (version != kVersion) {
    throw Error("{} is a normal map of version {}; this longshot reads version {}.", name, version,
                kVersion);
  }
  const auto rows = cursor.take<std::uint32_t>();
  const auto cols = cursor.take<std::uint32_t>();
  const auto has_covariance = cursor.take<std::uint32_t>();
  if (rows < 1 || cols < 1 || rows > kLargestMapSide || cols > kLargestMapSide ||
      has_covariance > 1 ||
      bytes.size() != kHeaderBytes + kChecksumBytes +
                          body_bytes(std::size_t{rows} * cols, has_covariance == 1)) {
    throw Error("{} is damaged: its length does not fit its header.", name);
  }
  const std::string_view checked = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (Cursor(bytes.substr(checked.size())).take<std::uint64_t>() != fnv1a(checked)) {
    throw Error("{} is damaged: its checksum is wrong.", name);
  }
  NormalMap map;
  map.size = {rows, cols};
  for (double* value : {&map.frame.eyes.left.x, &map.frame.eyes.left.y, &map.frame.eyes.right.x,
                        &map.frame.eyes.right.y, &map.frame.aspect}) {
    *value = cursor.take<double>();
  }
  map.normals = cursor.take_matrix(3, map.size.pixels());
  map.mask.resize(map.size.pixels());
  for (double& value : map.mask) value = cursor.take<char>();
  map.covariance = cursor.take_matrix(6, has_covariance == 1 ? map.size.pixels() : 0);
  map.check();
  return map;
}

void write_normal_map(const std::filesystem::path& path, const NormalMap& map) {
  write_file(path, encode_normal_map(map));
}

NormalMap read_normal_map(const std::filesystem::path& path) {
  return decode_normal_map(read_file(path, kMostMapBytes), path.string());
}

}  // namespace longshot
