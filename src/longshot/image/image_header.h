// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "longshot/image/image.h"

namespace longshot {

enum class ImageFormat { kJpeg, kPng, kPnm, kBmp, kTiff, kWebp, kHeif };

struct ImageHeader {
  ImageFormat format;
  Size size;
  // What a decoder of whole images takes for its pixels, in the widest form that it may choose.
  Index decoder_bytes = 0;
  bool animated = false;  // several images, one after the other
};

// The format by its magic bytes; nothing for any other content.
std::optional<ImageFormat> recognise_format(std::string_view bytes);

// What the file says about its size, read without decoding any pixel, so that a limit can be
// applied first. Nothing if the format is unknown or the header is broken, or says the size twice.
std::optional<ImageHeader> read_image_header(std::string_view bytes);

}  // namespace longshot
