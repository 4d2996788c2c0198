// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/shift.h"

#include <algorithm>
#include <cmath>

namespace longshot {
namespace {

// count x count: output i is the input at i - by.
Matrix shift_weights(Index count, double by) {
  Matrix weights = Matrix::Zero(count, count);
  const auto last = static_cast<double>(count - 1);
  for (Index i = 0; i < count; ++i) {
    const double at = std::clamp(static_cast<double>(i) - by, 0.0, last);
    const auto left = static_cast<Index>(at);
    const double fraction = at - static_cast<double>(left);
    weights(i, left) += 1.0 - fraction;
    weights(i, std::min(left + 1, count - 1)) += fraction;
  }
  return weights;
}

}  // namespace

Image shift(const Image& image, double dx, double dy) {
  check_image(image, "The image to shift");
  return shift_weights(image.rows(), dy) * image * shift_weights(image.cols(), dx).transpose();
}

}  // namespace longshot
