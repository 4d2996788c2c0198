// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/cast_shadow.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// Heights of a shape around the face on a fine grid, so that a ray costs no exponentials. Beyond
// the grid there is nothing that could cast a shadow.
class HeightGrid {
 public:
  explicit HeightGrid(const FaceShape& shape) : heights_(kRows, kCols) {
    parallel_for(kCols, [&](Index col) {
      for (Index row = 0; row < kRows; ++row) {
        heights_(row, col) = shape
                                 .at(kLeft + kCell * static_cast<double>(col),
                                     kBottom + kCell * static_cast<double>(row))
                                 .height;
      }
    });
    highest_ = heights_.maxCoeff();
  }

  double highest() const { return highest_; }

  double at(const Eigen::Vector2d& place) const {
    const double x = (place.x() - kLeft) / kCell;
    const double y = (place.y() - kBottom) / kCell;
    if (!(x >= 0.0 && y >= 0.0 && x < static_cast<double>(kCols - 1) &&
          y < static_cast<double>(kRows - 1))) {
      return -std::numeric_limits<double>::infinity();
    }
    const auto col = static_cast<Index>(x);
    const auto row = static_cast<Index>(y);
    const double u = x - static_cast<double>(col);
    const double v = y - static_cast<double>(row);
    return (1.0 - u) * ((1.0 - v) * heights_(row, col) + v * heights_(row + 1, col)) +
           u * ((1.0 - v) * heights_(row, col + 1) + v * heights_(row + 1, col + 1));
  }

 private:
  static constexpr double kCell = 0.025;  // eye distances
  static constexpr double kLeft = -1.6;
  static constexpr double kBottom = -2.4;
  static constexpr Index kCols = 129;  // to 1.6
  static constexpr Index kRows = 161;  // to 1.6
  Matrix heights_;
  double highest_ = 0.0;
};

// The least slope by which a ray clears the surface; negative where the surface is in its way.
double clearance(const HeightGrid& grid, const Eigen::Vector2d& from, double height,
                 const Eigen::Vector2d& along, double rise, const ShadowOptions& options) {
  double least = std::numeric_limits<double>::infinity();
  for (double t = options.start; height + t * rise < grid.highest(); t += options.step) {
    const double surface = grid.at(from + t * along);
    if (!std::isfinite(surface)) break;
    least = std::min(least, rise - (surface - height) / t);
  }
  return least;
}

}  // namespace

void ShadowOptions::check() const {
  if (!(softness > 0.0)) throw Error("softness of cast shadows is {}, must be > 0.", softness);
  if (!(start > 0.0)) throw Error("start of cast shadows is {}, must be > 0.", start);
  if (!(step > 0.0)) throw Error("step of cast shadows is {}, must be > 0.", step);
}

Matrix cast_shadows(const FaceShape& shape, const NormalMap& map, const MatrixRef& lights,
                    const ShadowOptions& options) {
  options.check();
  if (lights.rows() != 3 || !lights.allFinite()) {
    throw Error("Lights must be finite 3-vectors, one per column.");
  }
  const HeightGrid grid(shape);
  const FacePlane plane(map.frame);
  Matrix visible(map.size.pixels(), lights.cols());
  parallel_for(map.size.cols, [&](Index col) {
    for (Index row = 0; row < map.size.rows; ++row) {
      const Index p = col * map.size.rows + row;
      const Eigen::Vector2d at =
          plane.on_face({(static_cast<double>(col) + 0.5) / static_cast<double>(map.size.cols),
                         (static_cast<double>(row) + 0.5) / static_cast<double>(map.size.rows)});
      const double height = shape.at(at.x(), at.y()).height;
      for (Index k = 0; k < lights.cols(); ++k) {
        const Eigen::Vector2d across = plane.rotation().transpose() * lights.col(k).head<2>();
        const double length = across.norm();
        visible(p, k) = 1.0;
        if (length < 1e-9) continue;
        const double clear =
            clearance(grid, at, height, across / length, lights(2, k) / length, options);
        visible(p, k) = std::clamp(1.0 + clear / options.softness, 0.0, 1.0);
      }
    }
  });
  return visible;
}

}  // namespace longshot
