// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_header.h"

#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>

namespace longshot {
namespace {

// Bounded reads of whole numbers: past the end they give 0 and clear ok().
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes, bool big_endian)
      : bytes_(bytes), big_endian_(big_endian) {}

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

std::optional<Size> png_size(std::string_view bytes) {
  ByteReader reader(bytes, true);
  const Size size{reader.number(20, 4), reader.number(16, 4)};
  if (!reader.ok() || bytes.substr(12, 4) != "IHDR") return std::nullopt;
  return size;
}

std::optional<Size> jpeg_size(std::string_view bytes) {
  ByteReader reader(bytes, true);
  std::size_t at = 2;
  while (reader.ok()) {
    if (reader.number(at, 1) != 0xFF) return std::nullopt;
    const std::uint32_t marker = reader.number(at + 1, 1);
    if (marker == 0xFF) {  // fill byte
      ++at;
      continue;
    }
    if ((marker >= 0xD0 && marker <= 0xD8) || marker == 0x01) {  // markers without a length
      at += 2;
      continue;
    }
    const bool start_of_frame =
        marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (start_of_frame) {
      const Size size{reader.number(at + 5, 2), reader.number(at + 7, 2)};
      return reader.ok() ? std::optional(size) : std::nullopt;
    }
    at += 2 + reader.number(at + 2, 2);
  }
  return std::nullopt;
}

// Whole numbers between white space and comments, as in "P5 # comment\n32 32 255".
std::optional<Size> pnm_size(std::string_view bytes) {
  std::size_t at = 2;
  Index values[2] = {0, 0};
  for (Index& value : values) {
    while (at < bytes.size() &&
           (std::isspace(static_cast<unsigned char>(bytes[at])) != 0 || bytes[at] == '#')) {
      if (bytes[at] == '#') {
        while (at < bytes.size() && bytes[at] != '\n') ++at;
      } else {
        ++at;
      }
    }
    const char* end = bytes.data() + bytes.size();
    const auto parsed = std::from_chars(bytes.data() + at, end, value);
    if (parsed.ec != std::errc()) return std::nullopt;
    at = static_cast<std::size_t>(parsed.ptr - bytes.data());
  }
  return Size{values[1], values[0]};
}

std::optional<Size> bmp_size(std::string_view bytes) {
  ByteReader reader(bytes, false);
  if (reader.number(14, 4) == 12) {  // the OS/2 header has 16-bit sides
    const Size size{reader.number(20, 2), reader.number(18, 2)};
    return reader.ok() ? std::optional(size) : std::nullopt;
  }
  // A negative height only says that rows run from top to bottom.
  const auto width = static_cast<std::int32_t>(reader.number(18, 4));
  const auto height = static_cast<std::int32_t>(reader.number(22, 4));
  if (!reader.ok() || width <= 0) return std::nullopt;
  return Size{std::llabs(height), width};
}

std::optional<Size> tiff_size(std::string_view bytes) {
  ByteReader reader(bytes, bytes[0] == 'M');
  const std::size_t directory = reader.number(4, 4);
  const std::uint32_t entries = reader.number(directory, 2);
  Size size;
  for (std::uint32_t i = 0; i < entries && reader.ok(); ++i) {
    const std::size_t entry = directory + 2 + 12 * std::size_t{i};
    const std::uint32_t tag = reader.number(entry, 2);
    const std::size_t width = reader.number(entry + 2, 2) == 3 ? 2 : 4;  // SHORT or LONG
    if (tag == 256) size.cols = reader.number(entry + 8, width);
    if (tag == 257) size.rows = reader.number(entry + 8, width);
  }
  return reader.ok() ? std::optional(size) : std::nullopt;
}

std::optional<Size> webp_size(std::string_view bytes) {
  ByteReader reader(bytes, false);
  const std::string_view chunk = bytes.substr(12, 4);
  Size size;
  if (chunk == "VP8X") {
    size = {reader.number(27, 3) + 1, reader.number(24, 3) + 1};
  } else if (chunk == "VP8L") {
    const std::uint32_t packed = reader.number(21, 4);
    size = {((packed >> 14) & 0x3FFF) + 1, (packed & 0x3FFF) + 1};
  } else if (chunk == "VP8 ") {
    size = {reader.number(28, 2) & 0x3FFF, reader.number(26, 2) & 0x3FFF};
  } else {
    return std::nullopt;
  }
  return reader.ok() ? std::optional(size) : std::nullopt;
}

}  // namespace

std::optional<ImageFormat> recognise_format(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\xFF\xD8\xFF"sv)) return ImageFormat::kJpeg;
  if (bytes.starts_with("\x89PNG\r\n\x1A\n"sv)) return ImageFormat::kPng;
  if (bytes.starts_with("BM"sv) && bytes.size() >= 26) return ImageFormat::kBmp;
  if (bytes.starts_with("II*\0"sv) || bytes.starts_with("MM\0*"sv)) return ImageFormat::kTiff;
  if (bytes.starts_with("RIFF"sv) && bytes.substr(0, 12).ends_with("WEBP"sv)) {
    return ImageFormat::kWebp;
  }
  if (bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
      std::isspace(static_cast<unsigned char>(bytes[2])) != 0) {
    return ImageFormat::kPnm;
  }
  return std::nullopt;
}

std::optional<ImageHeader> read_image_header(std::string_view bytes) {
  const std::optional<ImageFormat> format = recognise_format(bytes);
  if (!format) return std::nullopt;
  std::optional<Size> size;
  switch (*format) {
    case ImageFormat::kJpeg:
      size = jpeg_size(bytes);
      break;
    case ImageFormat::kPng:
      size = png_size(bytes);
      break;
    case ImageFormat::kPnm:
      size = pnm_size(bytes);
      break;
    case ImageFormat::kBmp:
      size = bmp_size(bytes);
      break;
    case ImageFormat::kTiff:
      size = tiff_size(bytes);
      break;
    case ImageFormat::kWebp:
      size = webp_size(bytes);
      break;
  }
  if (!size || size->rows < 1 || size->cols < 1) return std::nullopt;
  return ImageHeader{*format, *size};
}

}  // namespace longshot
