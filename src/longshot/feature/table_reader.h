// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "longshot/core/error.h"
#include "longshot/core/matrix.h"
#include "longshot/image/image.h"

namespace longshot {

// Reads what training/ has written, little-endian; throws Error where it is damaged.
class TableReader {
 public:
  // `name` begins the sentence that says so.
  TableReader(std::string_view bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  [[noreturn]] void refuse() const { throw Error("{} is damaged.", name_); }

  std::string_view take(std::size_t bytes) {
    if (bytes > rest_.size()) refuse();
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, take(sizeof(Number)).data(), sizeof(Number));
    return value;
  }
  Index count_from(Index least, Index most) {
    const auto value = static_cast<Index>(number<std::uint32_t>());
    if (value < least || value > most) refuse();
    return value;
  }
  Index count(Index most) { return count_from(1, most); }
  Size size(Index most) {
    const Index rows = count(most);
    return {rows, count(most)};
  }
  template <typename Number>
  Vector values(Index size) {
    const std::string_view bytes = take(static_cast<std::size_t>(size) * sizeof(Number));
    Vector result(size);
    for (Index i = 0; i < size; ++i) {
      Number value;
      std::memcpy(static_cast<void*>(&value), &bytes[static_cast<std::size_t>(i) * sizeof(Number)],
                  sizeof(Number));
      result(i) = static_cast<double>(value);
    }
    if (!result.allFinite()) refuse();
    return result;
  }
  // Row after row.
  template <typename Number>
  Matrix rows(Index count, Index cols) {
    return values<Number>(count * cols).reshaped(cols, count).transpose();
  }
  // The same, each row in units of its own, which come first.
  template <typename Number>
  Matrix scaled_rows(Index count, Index cols) {
    const Vector scale = values<float>(count);
    return scale.asDiagonal() * rows<Number>(count, cols);
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  std::string name_;
};

}  // namespace longshot
