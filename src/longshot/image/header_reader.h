// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace longshot {

// Bounded reads of whole numbers: past the end they give 0 and clear ok().
class HeaderReader {
 public:
  HeaderReader(std::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  std::uint32_t number(std::size_t offset, std::size_t width) {
    if (offset > bytes_.size() || bytes_.size() - offset < width) {
      ok_ = false;
      return 0;
    }
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < width; ++i) {
      const std::size_t at = offset + (big_endian_ ? i : width - 1 - i);
      value = value << 8 | static_cast<unsigned char>(bytes_[at]);
    }
    return value;
  }
  bool ok() const { return ok_; }

 private:
  std::string_view bytes_;
  bool big_endian_;
  bool ok_ = true;
};

}  // namespace longshot
