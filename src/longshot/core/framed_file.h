// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "longshot/core/matrix.h"

namespace longshot {

// The binary files of our own: magic, version (32 bits), length of the content (64 bits), content,
// and the CRC-32 of all that precedes it. Numbers are little-endian.
struct FileFormat {
  std::string_view magic;
  std::uint32_t version = 1;     // that is written; all from 1 to it are read
  std::string_view kind;         // in messages: "a model"
  std::string_view whose;        // in messages, after the kind: "of longshot"
  std::uint64_t most_bytes = 0;  // of a whole file
};

std::string frame_file(const FileFormat& format, std::string_view content);

struct Unframed {
  std::uint32_t version = 0;
  std::string_view content;  // part of what was given
};

// Throws Error, naming `name`, for bytes that are not such a file, of a newer version, or damaged.
Unframed unframe_file(const FileFormat& format, std::string_view bytes, std::string_view name);

// The version that the bytes claim, before anything else is checked. Throws Error likewise.
std::uint32_t framed_version(const FileFormat& format, std::string_view bytes,
                             std::string_view name);

// Puts values one behind the other.
class ByteWriter {
 public:
  template <typename T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void count(Index value) { number(static_cast<std::uint32_t>(value)); }
  void bytes(std::string_view value) { bytes_ += value; }
  // Its length first.
  void text(std::string_view value);
  // The values alone, column by column.
  void values(const MatrixRef& values);
  // Rows and columns first.
  void matrix(const MatrixRef& values);
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Takes values off the front and never reads or allocates beyond what is there. What does not fit
// throws Error: "NAME is damaged: ...".
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string_view name) : rest_(bytes), name_(name) {}

  [[noreturn]] void refuse(std::string_view why) const;

  template <typename T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  double finite();
  Index count(std::uint32_t most);
  bool flag() { return count(1) == 1; }
  std::string text(std::uint32_t most);
  Matrix values(std::uint64_t rows, std::uint64_t cols);
  Matrix matrix();
  Vector vector();
  std::string_view take(std::size_t size);
  std::size_t left() const { return rest_.size(); }
  void finish() const;  // refuses what is left

 private:
  std::string_view rest_;
  std::string_view name_;
};

}  // namespace longshot
