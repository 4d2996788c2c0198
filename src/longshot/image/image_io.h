// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "longshot/image/still_decoder.h"

namespace longshot {

// JPEG, PNG, PGM/PPM, BMP, TIFF, WebP, HEIC and AVIF, recognised by content, 8 or 16 bit, turned as
// EXIF or HEIF says. Colour becomes grey with the weights of ITU-R BT.601: 0.299 R + 0.587 G +
// 0.114 B. Throws Error with the reason for whatever is not such an image.
Image read_image(const std::filesystem::path& path, const ReadLimits& limits = {});
Image decode_image(std::string_view bytes, std::string_view name, const ReadLimits& limits = {});

DecodedPhoto read_photo(const std::filesystem::path& path, const ReadLimits& limits = {});
DecodedPhoto decode_photo(std::string_view bytes, std::string_view name,
                          const ReadLimits& limits = {});

// The size of the image in these bytes as its header has it; nothing if that is damaged.
std::optional<Size> read_image_size(std::string_view bytes);

// 8 bit, values clipped to [0, 1] and rounded; the format follows the extension of the path.
void write_image(const std::filesystem::path& path, const Image& image);
std::string encode_image(const Image& image, std::string_view extension);  // ".png", ".jpg", ...
std::string encode_jpeg(const Image& image, int quality);                  // 1 to 100

// Three planes of equal size; otherwise like write_image.
struct ColorImage {
  Image red;
  Image green;
  Image blue;
};
void write_image(const std::filesystem::path& path, const ColorImage& image);

// True for the extensions of the formats above, in either case.
bool has_image_extension(const std::filesystem::path& path);

}  // namespace longshot
