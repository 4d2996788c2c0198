// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_shape.h"

#include <cmath>

namespace longshot {

HeightAndSlope FaceShape::at(double x, double y) const {
  HeightAndSlope result;
  const auto add = [&](const ShapeTerm& term, double x0) {
    const double dx = x - x0;
    const double dy = y - term.y0;
    const double inverse_variance = 1.0 / (term.sigma * term.sigma);
    const double value = term.amplitude * std::exp(-0.5 * inverse_variance * (dx * dx + dy * dy));
    result.height += value;
    result.slope_x -= value * dx * inverse_variance;
    result.slope_y -= value * dy * inverse_variance;
  };
  for (const ShapeTerm& term : terms_) {
    add(term, term.x0);
    if (term.x0 != 0.0) add(term, -term.x0);
  }
  return result;
}

}  // namespace longshot
