// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_surface.h"

#include <array>
#include <cassert>
#include <tuple>

#include "longshot/synthetic/synthetic_canvas.h"

namespace longshot {
namespace {

// dz/dx and dz/dy by central differences, one-sided at the borders.
void differentiate(const Plane& height, float pitch, Plane& slope_x, Plane& slope_y) {
  const Index rows = height.rows();
  const Index cols = height.cols();
  slope_x.resize(rows, cols);
  slope_y.resize(rows, cols);
  const float half = 0.5F / pitch;
  slope_x.middleCols(1, cols - 2) = (height.rightCols(cols - 2) - height.leftCols(cols - 2)) * half;
  slope_x.col(0) = (height.col(1) - height.col(0)) / pitch;
  slope_x.col(cols - 1) = (height.col(cols - 1) - height.col(cols - 2)) / pitch;
  slope_y.middleRows(1, rows - 2) = (height.topRows(rows - 2) - height.bottomRows(rows - 2)) * half;
  slope_y.row(0) = (height.row(0) - height.row(1)) / pitch;
  slope_y.row(rows - 1) = (height.row(rows - 2) - height.row(rows - 1)) / pitch;
}

using Landmarks = std::array<double, 6>;  // heights, increasing

// A smooth increasing function that takes `from` to `to`: cubic Hermite pieces whose slope at a
// landmark is the mean of the slopes beside it, straight lines beyond the ends.
double smooth_map(const Landmarks& from, const Landmarks& to, double y) {
  const auto slope = [&](std::size_t k) { return (to[k + 1] - to[k]) / (from[k + 1] - from[k]); };
  constexpr std::size_t kLast = std::tuple_size_v<Landmarks> - 1;
  if (y <= from[0]) return to[0] + slope(0) * (y - from[0]);
  if (y >= from[kLast]) return to[kLast] + slope(kLast - 1) * (y - from[kLast]);
  std::size_t k = 0;
  while (y > from[k + 1]) ++k;
  const double here = slope(k);
  const double width = from[k + 1] - from[k];
  const double start = k == 0 ? here : 0.5 * (slope(k - 1) + here);
  const double end = k + 1 == kLast ? here : 0.5 * (here + slope(k + 1));
  const double t = (y - from[k]) / width;
  const double s = 1.0 - t;
  return to[k] * s * s * (1.0 + 2.0 * t) + to[k + 1] * t * t * (3.0 - 2.0 * t) +
         width * t * s * (start * s - end * t);
}

}  // namespace

Canvas make_canvas(const HeadTraits& head, const Expression& expression, const SurfaceGrid& grid) {
  Canvas canvas;
  canvas.pitch = static_cast<float>(grid.pitch);
  canvas.x.resize(grid.cols);
  for (Index c = 0; c < grid.cols; ++c) {
    const double x = grid.left + (static_cast<double>(c) + 0.5) * grid.pitch;
    const double outside = std::max(0.0, std::abs(x) - 0.3);
    // Sets in gently, because a kink of the map is seen as a kink of the surface.
    const double change = (1.0 - 1.0 / head.width) * outside * outside / (outside + 0.4);
    canvas.x(c) = static_cast<float>(x - std::copysign(change, x));
  }
  const double nose = kNoseBase * head.nose_length;
  const double mouth = nose + (kMouth - kNoseBase) * head.philtrum;
  const double chin = mouth + (kChin - kMouth) * head.chin - expression.mouth_open;
  const Landmarks seen = {chin - 1.5, chin, mouth, nose, 0.0, 2.0 * head.forehead};
  constexpr Landmarks kStandard = {kChin - 1.5, kChin, kMouth, kNoseBase, 0.0, 2.0};
  canvas.y.resize(grid.rows);
  for (Index r = 0; r < grid.rows; ++r) {
    const double y = grid.top - (static_cast<double>(r) + 0.5) * grid.pitch;
    canvas.y(r) = static_cast<float>(smooth_map(seen, kStandard, y));
  }
  return canvas;
}

Plane sum_of_bumps(const std::vector<Bump>& bumps, const Canvas& canvas) {
  const auto count = static_cast<Index>(bumps.size());
  Eigen::MatrixXf down(canvas.rows(), count);
  Eigen::MatrixXf across(canvas.cols(), count);
  const double blur = 0.25 * canvas.pitch * canvas.pitch;
  for (Index k = 0; k < count; ++k) {
    const Bump& bump = bumps[static_cast<std::size_t>(k)];
    const double sx = std::sqrt(bump.sigma_x * bump.sigma_x + blur);
    const double sy = std::sqrt(bump.sigma_y * bump.sigma_y + blur);
    const auto amplitude =
        static_cast<float>(bump.amplitude * bump.sigma_x * bump.sigma_y / (sx * sy));
    const auto kx = static_cast<float>(std::sqrt(0.5) / sx);
    const auto ky = static_cast<float>(std::sqrt(0.5) / sy);
    down.col(k) = amplitude * (-((canvas.y - static_cast<float>(bump.y)) * ky).square()).exp();
    across.col(k) = (-((canvas.x - static_cast<float>(bump.x)) * kx).square()).exp();
  }
  Plane sum(canvas.rows(), canvas.cols());
  sum.matrix().noalias() = down * across.transpose();
  return sum;
}

FaceSurface make_surface(const SyntheticPerson& person, const Expression& expression,
                         const Surroundings& surroundings, const SurfaceGrid& grid) {
  assert(grid.rows >= 3 && grid.cols >= 3 && grid.pitch > 0.0);
  const Canvas canvas = make_canvas(person.head, expression, grid);
  FaceSurface surface;
  surface.height = make_relief_height(person, expression, canvas);
  surface.relief = surface.height;
  differentiate(surface.height, canvas.pitch, surface.slope_x, surface.slope_y);
  paint_face(person, expression, canvas, surface);
  compose_head(person, surroundings, canvas, surface);
  return surface;
}

}  // namespace longshot
