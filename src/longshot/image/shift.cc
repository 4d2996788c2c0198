// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/shift.h"

#include <algorithm>
#include <cmath>

namespace longshot {
Matrix move_weights(Index count, double by, double log_scale) {
  Matrix weights = Matrix::Zero(count, count);
  const auto last = static_cast<double>(count - 1);
  const double centre = 0.5 * last;
  const double step = std::exp(-log_scale);
  for (Index i = 0; i < count; ++i) {
    const double at = std::clamp(centre + step * (static_cast<double>(i) - by - centre), 0.0, last);
    const auto left = static_cast<Index>(at);
    const double fraction = at - static_cast<double>(left);
    weights(i, left) += 1.0 - fraction;
    weights(i, std::min(left + 1, count - 1)) += fraction;
  }
  return weights;
}

Image shift(const Image& image, double dx, double dy) {
  check_image(image, "The image to shift");
  return move_weights(image.rows(), dy, 0.0) * image *
         move_weights(image.cols(), dx, 0.0).transpose();
}

}  // namespace longshot
