// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "longshot/core/matrix.h"

namespace longshot {

// A grey image: rows x columns, row 0 at the top, intensities in [0, 1] as stored in the file
// (8-bit value / 255, no gamma correction). Column-major, so Eigen's reshaped() is the paper's vec.
using Image = Matrix;

// Rows x columns, as in the paper: "48x40" is 48 rows of 40 pixels.
struct Size {
  Index rows = 0;
  Index cols = 0;

  Index pixels() const { return rows * cols; }
  bool operator==(const Size&) const = default;
};

inline constexpr Index kLargestImageSide = 10000;

// "7x6" -> {7, 6}. Throws Error for anything else, for 0 and for more than kLargestImageSide.
Size parse_size(std::string_view text);
std::string to_string(Size size);
inline Size size_of(const Image& image) {
  return {image.rows(), image.cols()};
}

// Pixel coordinates with the origin at the top left corner of the image: the centre of the first
// pixel is (0.5, 0.5), and scaling an image scales coordinates by the same factor.
struct Point {
  double x = 0.0;  // to the right
  double y = 0.0;  // down
  bool operator==(const Point&) const = default;
};

struct Box {
  double x = 0.0;
  double y = 0.0;
  double width = 0.0;
  double height = 0.0;
  bool operator==(const Box&) const = default;
};

// Eye centres; `left` is the one on the image's left.
struct Eyes {
  Point left;
  Point right;
  bool operator==(const Eyes&) const = default;
};

double eye_distance(const Eyes& eyes);

// The mirror image, left and right exchanged.
Image flip(const Image& image);
Eyes flip(const Eyes& eyes, double width);
// The same of many images of that size, one per column.
Matrix mirrored_columns(const MatrixRef& images, Size size);

// Throws Error, naming `what`, unless the image has pixels and all of them are finite numbers.
void check_image(const Image& image, std::string_view what);

}  // namespace longshot
