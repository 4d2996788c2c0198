// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_shape.h"

#include <cmath>

namespace longshot {

namespace {

void add_gaussian(const ShapeTerm& term, double x0, double x, double y, HeightAndSlope& sum) {
  const double dx = x - x0;
  const double dy = y - term.y0;
  const double inverse_variance = 1.0 / (term.sigma * term.sigma);
  const double exponent = 0.5 * inverse_variance * (dx * dx + dy * dy);
  if (exponent > 40.0) return;  // exp(-40) is below the rounding of a sum near 1
  const double value = term.amplitude * std::exp(-exponent);
  sum.height += value;
  sum.slope_x -= value * dx * inverse_variance;
  sum.slope_y -= value * dy * inverse_variance;
}

void add_term(const ShapeTerm& term, double x, double y, HeightAndSlope& sum) {
  add_gaussian(term, term.x0, x, y, sum);
  if (term.x0 != 0.0) add_gaussian(term, -term.x0, x, y, sum);
}

}  // namespace

HeightAndSlope evaluate(const ShapeTerm& term, double x, double y) {
  HeightAndSlope sum;
  add_term(term, x, y, sum);
  return sum;
}

HeightAndSlope FaceShape::at(double x, double y) const {
  HeightAndSlope sum;
  for (const ShapeTerm& term : terms_) add_term(term, x, y, sum);
  return sum;
}

}  // namespace longshot
