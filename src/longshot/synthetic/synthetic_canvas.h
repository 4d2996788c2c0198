// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <Eigen/Core>

#include "longshot/synthetic/synthetic_surface.h"

namespace longshot {

// Shared by the parts of make_surface.

// Heights of landmarks of the standard face, into which everybody's proportions are mapped so that
// features can be described once.
inline constexpr float kNoseBase = -0.70F;
inline constexpr float kMouth = -1.10F;
inline constexpr float kChin = -1.78F;

// The grid in coordinates of the standard face: the map is separable, x of a column and y of a row.
struct Canvas {
  Eigen::ArrayXf x;  // cols, increasing
  Eigen::ArrayXf y;  // rows, decreasing
  float pitch = 0.0F;

  Index rows() const { return y.size(); }
  Index cols() const { return x.size(); }
};

Canvas make_canvas(const HeadTraits& head, const Expression& expression, const SurfaceGrid& grid);

// The sum of bumps, as a product of two thin matrices. Bumps finer than a cell are widened to it,
// with the same volume.
Plane sum_of_bumps(const std::vector<Bump>& bumps, const Canvas& canvas);

// How much of a cell lies on the positive side of an edge at signed distance d; soft is the width
// of the transition, a cell at least.
inline float coverage(float d, float soft) {
  return std::clamp(0.5F + d / soft, 0.0F, 1.0F);
}

inline void blend(float& value, float target, float opacity) {
  value += opacity * (target - value);
}

// Smooth noise in [-1, 1] with features of about one unit, the same for the same key.
float value_noise(std::uint64_t key, float x, float y);
// The same at all pairs of coordinates, much faster: y.size() x x.size().
Plane value_noise(std::uint64_t key, const Eigen::ArrayXf& x, const Eigen::ArrayXf& y);

// Keys' cubic (a = -1/2) for the four samples around a place, t after the second: blurs little.
inline Eigen::Array4f cubic_weights(float t) {
  const float t2 = t * t;
  const float t3 = t2 * t;
  return {0.5F * (-t3 + 2.0F * t2 - t), 0.5F * (3.0F * t3 - 5.0F * t2 + 2.0F),
          0.5F * (-3.0F * t3 + 4.0F * t2 + t), 0.5F * (t3 - t2)};
}

// Calls paint(row, col, x, y) for the cells of a box.
template <typename Paint>
void for_cells(const Canvas& canvas, float left, float right, float bottom, float top,
               Paint&& paint) {
  const auto* x = canvas.x.data();
  const auto* y = canvas.y.data();
  const Index first_col = std::lower_bound(x, x + canvas.cols(), left) - x;
  const Index last_col = std::upper_bound(x, x + canvas.cols(), right) - x;
  const auto above = [](float a, float b) { return a > b; };
  const Index first_row = std::lower_bound(y, y + canvas.rows(), top, above) - y;
  const Index last_row = std::upper_bound(y, y + canvas.rows(), bottom, above) - y;
  for (Index c = first_col; c < last_col; ++c) {
    for (Index r = first_row; r < last_row; ++r) paint(r, c, x[c], y[r]);
  }
}

// The relief of the face alone, continued smoothly beyond its outline.
Plane make_relief_height(const SyntheticPerson& person, const Expression& expression,
                         const Canvas& canvas);

// Paints skin, beard, lips, nostrils, eyes and brows over the whole canvas: albedo and gloss of
// the face alone. The eyeballs' slopes are flattened.
void paint_face(const SyntheticPerson& person, const Expression& expression, const Canvas& canvas,
                FaceSurface& surface);

// Cuts the face out along its outline and adds hair, ears, neck, clothes and background.
void compose_head(const SyntheticPerson& person, const Surroundings& surroundings,
                  const Canvas& canvas, FaceSurface& surface);

}  // namespace longshot
