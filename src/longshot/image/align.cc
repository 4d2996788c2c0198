// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/align.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using Complex = std::complex<double>;  // a point of the plane; a similarity is a z + b

// The mean over ten frontal portraits of YuNet's eyes in the frontal Haar cascade's boxes.
constexpr double kBoxLeftEye = 0.316;
constexpr double kBoxRightEye = 0.684;
constexpr double kBoxEyes = 0.40;

// Bilinear between pixel centres, the border repeated.
double interpolate(const Image& image, double x, double y) {
  const double column = std::clamp(x - 0.5, 0.0, static_cast<double>(image.cols() - 1));
  const double row = std::clamp(y - 0.5, 0.0, static_cast<double>(image.rows() - 1));
  const auto left = static_cast<Index>(column);
  const auto top = static_cast<Index>(row);
  const Index right = std::min(left + 1, image.cols() - 1);
  const Index bottom = std::min(top + 1, image.rows() - 1);
  const double fx = column - static_cast<double>(left);
  const double fy = row - static_cast<double>(top);
  return (1 - fx) * ((1 - fy) * image(top, left) + fy * image(bottom, left)) +
         fx * ((1 - fy) * image(top, right) + fy * image(bottom, right));
}

void check_eyes(const Image& photo, const Eyes& eyes) {
  const auto near_photo = [&](const Point& p) {
    const auto width = static_cast<double>(photo.cols());
    const auto height = static_cast<double>(photo.rows());
    return p.x >= -width && p.x <= 2 * width && p.y >= -height && p.y <= 2 * height;
  };
  if (!near_photo(eyes.left) || !near_photo(eyes.right)) {
    throw Error("The eyes ({},{} and {},{}) are not in the image of {} columns and {} rows.",
                eyes.left.x, eyes.left.y, eyes.right.x, eyes.right.y, photo.cols(), photo.rows());
  }
  if (eye_distance(eyes) < 1.0) {
    throw Error("The eyes are {:.2f} pixels apart; at least 1 is needed.", eye_distance(eyes));
  }
}

}  // namespace

Image align_face(const Image& photo, const Eyes& eyes, const FaceFrame& frame, Size size) {
  check_image(photo, "The photo");
  check_eyes(photo, eyes);
  frame.check();

  // Frame coordinates in units of the crop's width; `scale` turns and scales them to the photo.
  const auto frame_point = [&](double u, double v) { return Complex(u, v * frame.aspect); };
  const Complex frame_left = frame_point(frame.eyes.left.x, frame.eyes.left.y);
  const Complex frame_right = frame_point(frame.eyes.right.x, frame.eyes.right.y);
  const Complex photo_left(eyes.left.x, eyes.left.y);
  const Complex photo_right(eyes.right.x, eyes.right.y);
  const Complex scale = (photo_right - photo_left) / (frame_right - frame_left);

  const auto columns = static_cast<double>(size.cols);
  const auto rows = static_cast<double>(size.rows);
  // One sample per photo pixel across the footprint makes the mean an area filter.
  const auto samples = [](double step) {
    return static_cast<Index>(std::clamp(std::ceil(step), 1.0, 1000.0));
  };
  const Index across = samples(std::abs(scale) / columns);
  const Index down = samples(std::abs(scale) * frame.aspect / rows);

  Image face(size.rows, size.cols);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      double sum = 0.0;
      for (Index a = 0; a < across; ++a) {
        const double u = (static_cast<double>(c) +
                          (static_cast<double>(a) + 0.5) / static_cast<double>(across)) /
                         columns;
        for (Index d = 0; d < down; ++d) {
          const double v = (static_cast<double>(r) +
                            (static_cast<double>(d) + 0.5) / static_cast<double>(down)) /
                           rows;
          const Complex at = photo_left + scale * (frame_point(u, v) - frame_left);
          sum += interpolate(photo, at.real(), at.imag());
        }
      }
      face(r, c) = sum / static_cast<double>(across * down);
    }
  }
  return face;
}

Eyes eyes_in_box(const Box& box) {
  const double y = box.y + kBoxEyes * box.height;
  return {{box.x + kBoxLeftEye * box.width, y}, {box.x + kBoxRightEye * box.width, y}};
}

Box box_of_eyes(const Eyes& eyes) {
  const double width = eye_distance(eyes) / (kBoxRightEye - kBoxLeftEye);
  const double x = 0.5 * (eyes.left.x + eyes.right.x) - 0.5 * width;
  const double y = 0.5 * (eyes.left.y + eyes.right.y) - kBoxEyes * width;
  return {x, y, width, width};
}

}  // namespace longshot
