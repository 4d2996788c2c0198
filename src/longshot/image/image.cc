// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/image.h"

#include <charconv>
#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// The number that fills all of `text`, or 0.
Index parse_side(std::string_view text) {
  Index value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

}  // namespace

Size parse_size(std::string_view text) {
  const std::size_t cross = text.find('x');
  Size size;
  if (cross != std::string_view::npos) {
    size = {parse_side(text.substr(0, cross)), parse_side(text.substr(cross + 1))};
  }
  if (size.rows < 1 || size.cols < 1 || size.rows > kLargestImageSide ||
      size.cols > kLargestImageSide) {
    throw Error("\"{}\" is not a size: write rows x columns, such as 7x6 (1 to {} each).", text,
                kLargestImageSide);
  }
  return size;
}

std::string to_string(Size size) {
  return fmt::format("{}x{}", size.rows, size.cols);
}

double eye_distance(const Eyes& eyes) {
  return std::hypot(eyes.right.x - eyes.left.x, eyes.right.y - eyes.left.y);
}

Image flip(const Image& image) {
  return image.rowwise().reverse();
}

Eyes flip(const Eyes& eyes, double width) {
  return {{width - eyes.right.x, eyes.right.y}, {width - eyes.left.x, eyes.left.y}};
}

Matrix mirrored_columns(const MatrixRef& images, Size size) {
  Matrix mirrored(images.rows(), images.cols());
  for (Index c = 0; c < size.cols; ++c) {
    mirrored.middleRows(c * size.rows, size.rows) =
        images.middleRows((size.cols - 1 - c) * size.rows, size.rows);
  }
  return mirrored;
}

void check_image(const Image& image, std::string_view what) {
  if (image.size() == 0) throw Error("{} has no pixels.", what);
  if (!image.allFinite()) {
    throw Error("{} holds values that are not finite numbers.", what);
  }
}

}  // namespace longshot
