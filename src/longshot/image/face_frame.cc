// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/face_frame.h"

#include "longshot/core/error.h"

namespace longshot {

void FaceFrame::check() const {
  const auto inside = [](const Point& p) { return p.x >= 0 && p.x <= 1 && p.y >= 0 && p.y <= 1; };
  if (!inside(eyes.left) || !inside(eyes.right) || !(eyes.right.x - eyes.left.x >= 0.05)) {
    throw Error(
        "The eyes of a face crop must be fractions of its width and height, the left one at least "
        "0.05 left of the right one, not {},{} and {},{}.",
        eyes.left.x, eyes.left.y, eyes.right.x, eyes.right.y);
  }
  if (!(aspect >= 0.2 && aspect <= 5.0)) {
    throw Error("The aspect of a face crop must be between 0.2 and 5, not {}.", aspect);
  }
}

Eyes eyes_in_pixels(const FaceFrame& frame, Size size) {
  const auto scale = [&](const Point& p) -> Point {
    return {p.x * static_cast<double>(size.cols), p.y * static_cast<double>(size.rows)};
  };
  return {scale(frame.eyes.left), scale(frame.eyes.right)};
}

}  // namespace longshot
