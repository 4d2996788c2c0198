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
#include "longshot/image/confined_decoder.h"
#include "longshot/image/cv_mat.h"
#include "longshot/image/heif_decoder.h"
#include "longshot/image/image_header.h"

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

DecodedPhoto decode_photo(std::string_view bytes, std::string_view name, const ReadLimits& limits) {
  return decoders_are_confined() ? decode_confined(bytes, name, limits)
                                 : decode_still(bytes, name, limits);
}

std::optional<Size> read_image_size(std::string_view bytes) {
  if (decoders_are_confined() && is_heif(bytes)) return confined_size(bytes);
  const std::optional<ImageHeader> header = read_image_header(bytes);
  return header ? std::optional(header->size) : std::nullopt;
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
