// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/still_decoder.h"

#include "longshot/core/error.h"
#include "longshot/image/decode_budget.h"
#include "longshot/image/heif_decoder.h"
#include "longshot/image/image_header.h"
#include "longshot/image/image_integrity.h"
#include "longshot/image/jpeg_decoder.h"
#include "longshot/image/opencv_decoder.h"
#include "longshot/image/png_decoder.h"

namespace longshot {

void ReadLimits::check() const {
  if (max_bytes < 1) throw Error("max_bytes must be at least 1, not {}.", max_bytes);
  if (max_pixels < 1) throw Error("max_pixels must be at least 1, not {}.", max_pixels);
  if (max_memory < 1) throw Error("max_memory must be at least 1, not {}.", max_memory);
  if (!(max_seconds > 0.0)) throw Error("max_seconds must be above 0, not {}.", max_seconds);
}

DecodedPhoto decode_still(std::string_view bytes, std::string_view name, const ReadLimits& limits) {
  limits.check();
  if (bytes.empty()) throw Error("Cannot read {}: the file is empty.", name);
  if (static_cast<std::int64_t>(bytes.size()) > limits.max_bytes) {
    throw Error("Cannot read {}: it holds {} bytes, the limit is {}.", name, bytes.size(),
                limits.max_bytes);
  }
  if (!recognise_format(bytes)) {
    throw Error(
        "Cannot read {}: it is not a JPEG, PNG, PGM/PPM, BMP, TIFF, WebP, HEIC or AVIF image.",
        name);
  }
  const std::optional<ImageHeader> header = read_image_header(bytes);
  if (!header) throw Error("Cannot read {}: its image header is damaged.", name);
  if (header->size.rows > limits.max_pixels / header->size.cols) {
    throw Error("Cannot read {}: it claims {} pixels, the limit is {} million.", name,
                to_string(header->size), limits.max_pixels / 1'000'000);
  }
  if (!is_complete(bytes, *header)) {
    throw Error("Cannot read {}: the image data is damaged or cut short.", name);
  }
  if (header->animated) {
    throw Error("Cannot read {}: it is an animation, a single image is needed.", name);
  }
  DecodeBudget budget(name, limits.max_memory, limits.max_seconds);
  DecodedPhoto photo;
  if (header->format == ImageFormat::kJpeg) {
    photo = decode_jpeg(bytes, header->size, budget);
  } else if (header->format == ImageFormat::kPng) {
    photo.image = decode_png(bytes, header->size, budget);
  } else if (header->format == ImageFormat::kHeif) {
    photo = decode_heif(bytes, header->size, budget);
  } else {
    photo.image = decode_with_opencv(bytes, name, *header, budget);
  }
  check_image(photo.image, name);
  return photo;
}

}  // namespace longshot
