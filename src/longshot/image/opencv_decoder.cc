// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/opencv_decoder.h"

#include <algorithm>
#include <string>
#include <utility>

#include <opencv2/core.hpp>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>

#include "longshot/core/error.h"
#include "longshot/image/grey_rows.h"
#include "longshot/image/header_reader.h"
#include "longshot/image/quiet_errors.h"

namespace longshot {
namespace {

constexpr Index kBytesPerPixel = 8;  // three channels of 16 bits, or two copies of four of 8

// The library never prints; OpenCV would say on stderr what it finds wrong with a file.
const bool opencv_is_silent = [] {
  cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
  return true;
}();

cv::Mat decode(std::string_view bytes) {
  const cv::Mat buffer(1, static_cast<int>(bytes.size()), CV_8U,
                       const_cast<char*>(bytes.data()));  // only read
  const QuietErrors quiet;
  try {
    return cv::imdecode(buffer, cv::IMREAD_ANYCOLOR | cv::IMREAD_ANYDEPTH);
  } catch (const cv::Exception&) {
    return {};
  }
}

template <typename Value>
void put_rows(const cv::Mat& decoded, double scale, GreyRows& rows) {
  const PixelLayout layout = decoded.channels() == 1 ? PixelLayout::kGrey : PixelLayout::kBgr;
  for (Index row = 0; row < rows.size().rows; ++row) {
    rows.put(row, decoded.ptr<Value>(static_cast<int>(row)), layout, scale);
  }
}

// OpenCV turns what EXIF in a TIFF says, but not that in a WebP.
int orientation_in(std::string_view bytes, ImageFormat format) {
  if (format != ImageFormat::kWebp) return 1;
  HeaderReader reader(bytes, false);
  std::size_t at = 12;
  while (at + 8 <= bytes.size()) {
    const std::size_t length = reader.number(at + 4, 4);
    if (bytes.substr(at, 4) == "EXIF") {
      std::string_view exif = bytes.substr(at + 8, length);
      if (exif.starts_with("Exif")) exif.remove_prefix(std::min<std::size_t>(6, exif.size()));
      return exif_orientation(exif);
    }
    at += 8 + length + length % 2;
  }
  return 1;
}

}  // namespace

Image decode_with_opencv(std::string_view bytes, std::string_view name, const ImageHeader& header,
                         DecodeBudget& budget) {
  budget.take(std::max(header.decoder_bytes, kBytesPerPixel * header.size.pixels()));
  // The text forms: OpenCV wants something after the last number.
  const bool text = header.format == ImageFormat::kPnm && bytes[1] < '4';
  const std::string ended = text ? std::string(bytes) + '\n' : std::string();
  const cv::Mat decoded = decode(text ? ended : bytes);
  budget.check_time();
  if (decoded.empty()) budget.refuse_damage();
  const Size size{decoded.rows, decoded.cols};
  const Size turned{header.size.cols, header.size.rows};
  if (size != header.size && size != turned) budget.refuse_damage();
  if (decoded.channels() != 1 && decoded.channels() != 3) {
    throw Error("Cannot use {}: it has {} channels.", name, decoded.channels());
  }
  GreyRows rows(size, orientation_in(bytes, header.format), budget);
  switch (decoded.depth()) {
    case CV_8U:
      put_rows<std::uint8_t>(decoded, 1.0 / 255.0, rows);
      break;
    case CV_16U:
      put_rows<std::uint16_t>(decoded, 1.0 / 65535.0, rows);
      break;
    case CV_32F:
      put_rows<float>(decoded, 1.0, rows);
      break;
    case CV_64F:
      put_rows<double>(decoded, 1.0, rows);
      break;
    default:
      throw Error("Cannot use {}: its pixels are neither 8 nor 16 bit.", name);
  }
  return std::move(rows.image());
}

}  // namespace longshot
