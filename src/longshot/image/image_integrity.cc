// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_integrity.h"

#include <cstdint>

#include <zlib.h>

#include "longshot/image/heif_decoder.h"

namespace longshot {
namespace {

std::uint32_t big_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

bool png_is_complete(std::string_view bytes) {
  std::size_t at = 8;
  while (bytes.size() >= at + 12) {
    const std::size_t length = big_endian(bytes, at);
    if (length > bytes.size() - at - 12) return false;
    const std::string_view typed = bytes.substr(at + 4, 4 + length);
    const auto checksum =
        crc32(0, reinterpret_cast<const Bytef*>(typed.data()), static_cast<uInt>(typed.size()));
    if (checksum != big_endian(bytes, at + 8 + length)) return false;
    if (typed.starts_with("IEND")) return true;
    at += 12 + length;
  }
  return false;
}

// The end marker after the start of the scan: in coded data 0xFF is always followed by a zero, so
// the pair cannot occur by chance; thumbnails with end markers of their own stand before it.
bool jpeg_is_complete(std::string_view bytes) {
  std::size_t at = 2;
  while (at + 4 <= bytes.size()) {
    const auto marker = static_cast<unsigned char>(bytes[at + 1]);
    if (marker == 0xDA) return bytes.find("\xFF\xD9", at) != std::string_view::npos;
    if (marker == 0xFF) {
      ++at;
    } else {
      at += 2 + (big_endian(bytes, at) & 0xFFFF);
    }
  }
  return false;
}

// Raw pixels: at least as many bytes as one per 8 bits. Text forms (P1 to P3) are judged by the
// decoder alone.
bool pnm_is_complete(std::string_view bytes, Size size) {
  const char kind = bytes[1];
  if (kind < '4') return true;
  const auto columns = static_cast<std::size_t>(size.cols);
  const std::size_t row = kind == '4' ? (columns + 7) / 8 : kind == '5' ? columns : 3 * columns;
  return bytes.size() > row * static_cast<std::size_t>(size.rows);
}

bool bmp_is_complete(std::string_view bytes) {
  // Some writers leave the length 0.
  return little_endian(bytes, 2) <= bytes.size();
}

bool webp_is_complete(std::string_view bytes) {
  return std::size_t{little_endian(bytes, 4)} + 8 <= bytes.size();
}

}  // namespace

bool is_complete(std::string_view bytes, const ImageHeader& header) {
  switch (header.format) {
    case ImageFormat::kJpeg:
      return jpeg_is_complete(bytes);
    case ImageFormat::kPng:
      return png_is_complete(bytes);
    case ImageFormat::kPnm:
      return pnm_is_complete(bytes, header.size);
    case ImageFormat::kBmp:
      return bmp_is_complete(bytes);
    case ImageFormat::kTiff:
      return true;
    case ImageFormat::kWebp:
      return webp_is_complete(bytes);
    case ImageFormat::kHeif:
      return heif_is_complete(bytes);
  }
  return true;
}

}  // namespace longshot
