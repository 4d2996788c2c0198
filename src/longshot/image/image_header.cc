// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_header.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "longshot/image/header_reader.h"
#include "longshot/image/heif_decoder.h"

namespace longshot {
namespace {

std::optional<Size> png_size(std::string_view bytes) {
  HeaderReader reader(bytes, true);
  const Size size{reader.number(20, 4), reader.number(16, 4)};
  if (!reader.ok() || bytes.substr(12, 4) != "IHDR") return std::nullopt;
  return size;
}

std::optional<Size> jpeg_size(std::string_view bytes) {
  HeaderReader reader(bytes, true);
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
  HeaderReader reader(bytes, false);
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

// The tags of the first image that say how large it is. A reader may take the first or the last of
// a tag that stands there twice, so that is damage.
constexpr std::uint32_t kTiffColumns = 256;
constexpr std::uint32_t kTiffRows = 257;
constexpr std::uint32_t kTiffBits = 258;
constexpr std::uint32_t kTiffSamples = 277;
constexpr std::uint32_t kTiffRowsPerStrip = 278;
constexpr std::uint32_t kTiffTileColumns = 322;
constexpr std::uint32_t kTiffTileRows = 323;
constexpr Index kMostTiffSide = Index{1} << 24;

std::optional<std::map<std::uint32_t, Index>> tiff_tags(std::string_view bytes) {
  constexpr std::uint32_t kShort = 3;
  constexpr std::uint32_t kLong = 4;
  HeaderReader reader(bytes, bytes[0] == 'M');
  const std::size_t directory = reader.number(4, 4);
  const std::uint32_t entries = reader.number(directory, 2);
  std::map<std::uint32_t, Index> tags;
  for (std::uint32_t i = 0; i < entries && reader.ok(); ++i) {
    const std::size_t entry = directory + 2 + 12 * std::size_t{i};
    const std::uint32_t tag = reader.number(entry, 2);
    if (tag != kTiffColumns && tag != kTiffRows && tag != kTiffBits && tag != kTiffSamples &&
        tag != kTiffRowsPerStrip && tag != kTiffTileColumns && tag != kTiffTileRows) {
      continue;
    }
    const std::uint32_t type = reader.number(entry + 2, 2);
    const std::uint32_t count = reader.number(entry + 4, 4);
    if ((type != kShort && type != kLong) || (tag != kTiffBits && count != 1)) return std::nullopt;
    // Several numbers of bits stand elsewhere, unless they are two.
    const bool elsewhere = tag == kTiffBits && count > 2;
    const std::size_t at = elsewhere ? reader.number(entry + 8, 4) : entry + 8;
    if (!tags.emplace(tag, reader.number(at, type == kShort ? 2 : 4)).second) return std::nullopt;
  }
  if (!reader.ok()) return std::nullopt;
  return tags;
}

std::optional<ImageHeader> tiff_header(std::string_view bytes) {
  constexpr Index kChannels = 4;
  const auto tags = tiff_tags(bytes);
  if (!tags) return std::nullopt;
  const auto value = [&](std::uint32_t tag, Index otherwise) {
    const auto found = tags->find(tag);
    return found == tags->end() ? otherwise : found->second;
  };
  const Size size{value(kTiffRows, 0), value(kTiffColumns, 0)};
  const Index bits = value(kTiffBits, 1);
  if (bits < 1 || bits > 64 || value(kTiffSamples, 1) > 32) return std::nullopt;
  const Size piece{value(kTiffTileRows, std::min(value(kTiffRowsPerStrip, size.rows), size.rows)),
                   value(kTiffTileColumns, size.cols)};
  // Sides of at most 2^32: limited first, so that nothing overflows.
  const auto pixels = [](Size part) {
    return std::min(part.rows, kMostTiffSide) * std::min(part.cols, kMostTiffSide);
  };
  const Index sample = (bits + 7) / 8;
  return ImageHeader{ImageFormat::kTiff, size, kChannels * sample * (pixels(size) + pixels(piece))};
}

std::optional<Size> webp_size(std::string_view bytes) {
  HeaderReader reader(bytes, false);
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
  if (is_heif(bytes)) return ImageFormat::kHeif;
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
  std::optional<ImageHeader> header;
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
      header = tiff_header(bytes);
      break;
    case ImageFormat::kWebp:
      size = webp_size(bytes);
      break;
    case ImageFormat::kHeif:
      size = is_heif_sequence(bytes) ? Size{1, 1} : heif_size(bytes);
      break;
  }
  if (size) header = ImageHeader{*format, *size};
  if (!header || header->size.rows < 1 || header->size.cols < 1) return std::nullopt;
  if (*format == ImageFormat::kWebp) {
    // Bit 1 of the extended header.
    header->animated = bytes.substr(12, 4) == "VP8X" && bytes.size() > 20 && (bytes[20] & 2) != 0;
  }
  if (*format == ImageFormat::kHeif) header->animated = is_heif_sequence(bytes);
  return header;
}

}  // namespace longshot
