// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/face_grid.h"

#include <cmath>

#include "longshot/core/error.h"
#include "longshot/image/resize.h"

namespace longshot {
namespace {

// A place p of the grid lies at offset + scale p in the crop, both as fractions of one axis.
struct AxisMap {
  double offset = 0.0;
  double scale = 1.0;

  double operator()(double place) const { return offset + scale * place; }
};

AxisMap moved(const AxisMap& map, double by, double log_scale) {
  const double factor = std::exp(log_scale);
  return {0.5 + factor * (map.offset - 0.5) + by, factor * map.scale};
}

struct AxisMaps {
  AxisMap x;
  AxisMap y;
};

AxisMaps canonical_in(const FaceFrame& frame, const Registration& registration) {
  const FaceFrame canonical;
  const double wide =
      (frame.eyes.right.x - frame.eyes.left.x) / (canonical.eyes.right.x - canonical.eyes.left.x);
  const double high = wide * canonical.aspect / frame.aspect;
  const double eye_row = 0.5 * (frame.eyes.left.y + frame.eyes.right.y);
  const AxisMap x = {frame.eyes.left.x - wide * canonical.eyes.left.x, wide};
  const AxisMap y = {eye_row - high * canonical.eyes.left.y, high};
  return {moved(x, registration.dx, registration.log_x),
          moved(y, registration.dy, registration.log_y)};
}

Vector visible_places(Index count, const AxisMap& map) {
  Vector visible(count);
  for (Index i = 0; i < count; ++i) {
    const double at = map((static_cast<double>(i) + 0.5) / static_cast<double>(count));
    visible(i) = at >= 0.0 && at <= 1.0 ? 1.0 : 0.0;
  }
  return visible;
}

}  // namespace

FaceGrid::FaceGrid(Size size, const FaceFrame& frame, const Registration& registration, Size grid) {
  frame.check();
  const AxisMaps maps = canonical_in(frame, registration);
  rows_ = imresize_weights(size.rows, grid.rows, maps.y(0.0), maps.y(1.0));
  columns_ = imresize_weights(size.cols, grid.cols, maps.x(0.0), maps.x(1.0));
  visible_rows_ = visible_places(grid.rows, maps.y);
  visible_columns_ = visible_places(grid.cols, maps.x);
  if (visible_rows_.isZero() || visible_columns_.isZero()) {
    throw Error("A crop with its face at such a place shows nothing of it.");
  }
}

Matrix FaceGrid::apply(const VectorRef& crop) const {
  if (crop.size() != size().pixels()) {
    throw Error("The image has {} pixels, not those of {}.", crop.size(), to_string(size()));
  }
  return rows_ * crop.reshaped(rows_.cols(), columns_.cols()) * columns_.transpose();
}

}  // namespace longshot
