// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image_io.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/image/color_file.h"
#include "longshot/image/cv_mat.h"
#include "longshot/image/decode_budget.h"
#include "longshot/image/heif_decoder.h"
#include "longshot/image/image_header.h"
#include "longshot/image/image_integrity.h"
#include "longshot/image/jpeg_decoder.h"
#include "longshot/image/opencv_decoder.h"
#include "longshot/image/png_decoder.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 16> kExtensions = {
    ".jpg", ".jpeg", ".jpe", ".jfif", ".png",  ".pgm",  ".ppm",  ".pnm",
    ".pbm", ".bmp",  ".tif", ".tiff", ".webp", ".heic", ".heif", ".avif"};

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::string encode(const cv::Mat& pixels, std::string_view extension,
                   const std::vector<int>& settings = {}) {
  std::vector<uchar> buffer;
  try {
    if (cv::imencode(std::string(extension), pixels, buffer, settings)) {
      return {buffer.begin(), buffer.end()};
    }
  } catch (const cv::Exception&) {
    // An unknown extension; said below together with the other reasons.
  }
  throw Error("Cannot write an image as \"{}\": use .png, .jpg, .pgm, .ppm, .bmp, .tif or .webp.",
              extension);
}

}  // namespace

void ReadLimits::check() const {
  if (max_bytes < 1) throw Error("max_bytes must be at least 1, not {}.", max_bytes);
  if (max_pixels < 1) throw Error("max_pixels must be at least 1, not {}.", max_pixels);
  if (max_memory < 1) throw Error("max_memory must be at least 1, not {}.", max_memory);
  if (!(max_seconds > 0.0)) throw Error("max_seconds must be above 0, not {}.", max_seconds);
}

DecodedPhoto decode_photo(std::string_view bytes, std::string_view name, const ReadLimits& limits) {
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

Image decode_image(std::string_view bytes, std::string_view name, const ReadLimits& limits) {
  return decode_photo(bytes, name, limits).image;
}

DecodedPhoto read_photo(const fs::path& path, const ReadLimits& limits) {
  limits.check();
  const std::string bytes = read_file(path, static_cast<std::uintmax_t>(limits.max_bytes));
  return decode_photo(bytes, path.string(), limits);
}

Image read_image(const fs::path& path, const ReadLimits& limits) {
  return read_photo(path, limits).image;
}

std::string encode_image(const Image& image, std::string_view extension) {
  check_image(image, "The image to write");
  return encode(to_cv_bytes(image), extension);
}

std::string encode_jpeg(const Image& image, int quality) {
  check_image(image, "The image to write");
  if (quality < 1 || quality > 100) {
    throw Error("The quality of a JPEG must be from 1 to 100, not {}.", quality);
  }
  return encode(to_cv_bytes(image), ".jpg", {cv::IMWRITE_JPEG_QUALITY, quality});
}

void write_image(const fs::path& path, const Image& image) {
  write_file(path, encode_image(image, lower_extension(path)));
}

std::string encode_image(const ColorImage& image, std::string_view extension) {
  if (size_of(image.red) != size_of(image.green) || size_of(image.red) != size_of(image.blue)) {
    throw Error("The planes of a colour image must have the same size.");
  }
  cv::Mat pixels;
  cv::merge(std::vector<cv::Mat>{to_cv_bytes(image.blue), to_cv_bytes(image.green),
                                 to_cv_bytes(image.red)},
            pixels);
  return encode(pixels, extension);
}

void write_image(const fs::path& path, const ColorImage& image) {
  write_file(path, encode_image(image, lower_extension(path)));
}

bool has_image_extension(const fs::path& path) {
  const std::string extension = lower_extension(path);
  return std::find(kExtensions.begin(), kExtensions.end(), extension) != kExtensions.end();
}

}  // namespace longshot
