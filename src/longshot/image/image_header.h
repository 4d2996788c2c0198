// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "longshot/image/image.h"

namespace longshot {

enum class ImageFormat { kJpeg, kPng, kPnm, kBmp, kTiff, kWebp };

struct ImageHeader {
  ImageFormat format;
  Size size;
};

// The format by its magic bytes; nothing for any other content.
std::optional<ImageFormat> recognise_format(std::string_view bytes);

// What the file says about its size, read without decoding any pixel, so that a limit can be
// applied first. Nothing if the format is unknown or the header is broken.
std::optional<ImageHeader> read_image_header(std::string_view bytes);

}  // namespace longshot
