// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/relight/face_plane.h"
#include "longshot/relight/face_shape.h"

namespace longshot {
namespace {

constexpr Index kChannels = 9;  // normal and covariance
using Channels = Eigen::Matrix<double, kChannels, 1>;

// Bilinear, the border repeated; coordinates in pixels with centres at whole numbers.
struct Sampler {
  const NormalMap& map;

  void add(Point fraction, Channels& sum, double& weight, double& mask) const {
    const double cols = static_cast<double>(map.size.cols);
    const double rows = static_cast<double>(map.size.rows);
    const double x = std::clamp(fraction.x * cols - 0.5, 0.0, cols - 1.0);
    const double y = std::clamp(fraction.y * rows - 0.5, 0.0, rows - 1.0);
    const bool inside =
        fraction.x >= 0.0 && fraction.x <= 1.0 && fraction.y >= 0.0 && fraction.y <= 1.0;
    const Index x0 = static_cast<Index>(x);
    const Index y0 = static_cast<Index>(y);
    for (const Index col : {x0, std::min(x0 + 1, map.size.cols - 1)}) {
      for (const Index row : {y0, std::min(y0 + 1, map.size.rows - 1)}) {
        const double share =
            (col == x0 ? 1.0 - (x - static_cast<double>(x0)) : x - static_cast<double>(x0)) *
            (row == y0 ? 1.0 - (y - static_cast<double>(y0)) : y - static_cast<double>(y0));
        const Index pixel = col * map.size.rows + row;
        // Pixels off the face count only where there are no others.
        const double w = share * (map.mask[pixel] + 1e-9);
        sum.head<3>() += w * map.normals.col(pixel);
        if (map.covariance.cols() > 0) sum.tail<6>() += w * map.covariance.col(pixel);
        weight += w;
        if (inside) mask += share * map.mask[pixel];
      }
    }
  }
};

// c = xx, xy, xz, yy, yz, zz of R C R^T with the in-plane rotation R.
Eigen::Matrix<double, 6, 1> turned(const Eigen::Matrix<double, 6, 1>& c,
                                   const Eigen::Matrix2d& rotation) {
  Eigen::Matrix3d r = Eigen::Matrix3d::Identity();
  r.topLeftCorner<2, 2>() = rotation;
  Eigen::Matrix3d full;
  full << c[0], c[1], c[2], c[1], c[3], c[4], c[2], c[4], c[5];
  full = (r * full * r.transpose()).eval();
  Eigen::Matrix<double, 6, 1> result;
  result << full(0, 0), full(0, 1), full(0, 2), full(1, 1), full(1, 2), full(2, 2);
  return result;
}

// How many samples a side make up one pixel, so that no pixel of the source is skipped.
Index samples_a_side(const FacePlane& from, Size from_size, const FacePlane& to, Size to_size) {
  const auto source = [&](Point fraction) -> Eigen::Vector2d {
    const Point p = from.in_crop(to.on_face(fraction));
    return {p.x * static_cast<double>(from_size.cols), p.y * static_cast<double>(from_size.rows)};
  };
  const Eigen::Vector2d origin = source({0.0, 0.0});
  const double step =
      std::max((source({1.0 / static_cast<double>(to_size.cols), 0.0}) - origin).norm(),
               (source({0.0, 1.0 / static_cast<double>(to_size.rows)}) - origin).norm());
  return std::clamp<Index>(static_cast<Index>(std::ceil(step - 1e-9)), 1, 32);
}

void check_size(Size size) {
  if (size.rows < 1 || size.cols < 1) throw Error("A normal map needs at least one pixel.");
}

}  // namespace

void NormalMap::check() const {
  if (size.rows < 1 || size.cols < 1 || normals.rows() != 3 || normals.cols() != size.pixels() ||
      mask.size() != size.pixels() ||
      (covariance.cols() != 0 && (covariance.rows() != 6 || covariance.cols() != size.pixels()))) {
    throw Error("A normal map of {} needs one normal and one mask value for every pixel.",
                to_string(size));
  }
  if (!normals.allFinite() || !mask.allFinite() || !covariance.allFinite()) {
    throw Error("A normal map must hold finite numbers only.");
  }
  frame.check();
  for (Index p = 0; p < size.pixels(); ++p) {
    if (mask[p] != 0.0 && mask[p] != 1.0) {
      throw Error("The mask of a normal map must be 0 or 1, not {}.", mask[p]);
    }
    if (mask[p] == 1.0 && !(std::abs(normals.col(p).norm() - 1.0) < 1e-6 && normals(2, p) > 0.0)) {
      throw Error("Normals must have length 1 and point to the camera (z > 0), not ({}, {}, {}).",
                  normals(0, p), normals(1, p), normals(2, p));
    }
  }
}

NormalMap normals_of_shape(const FaceShape& shape, const FaceFrame& frame, Size size) {
  check_size(size);
  const FacePlane plane(frame);
  NormalMap map{size, Matrix(3, size.pixels()), Vector(size.pixels()), Matrix(6, 0), frame};
  parallel_for(size.cols, [&](Index col) {
    for (Index row = 0; row < size.rows; ++row) {
      const Index pixel = col * size.rows + row;
      const Eigen::Vector2d at = plane.on_face(pixel_centre(row, col, size));
      const HeightAndSlope surface = shape.at(at.x(), at.y());
      Eigen::Vector3d normal(-surface.slope_x, -surface.slope_y, 1.0);
      normal.head<2>() = (plane.rotation() * normal.head<2>()).eval();
      map.normals.col(pixel) = normal.normalized();
      map.mask[pixel] = inside_face_outline(at) ? 1.0 : 0.0;
    }
  });
  return map;
}

NormalMap flip(const NormalMap& map) {
  NormalMap result = map;
  const Index rows = map.size.rows;
  for (Index col = 0; col < map.size.cols; ++col) {
    const Index from = (map.size.cols - 1 - col) * rows;
    result.normals.middleCols(col * rows, rows) = map.normals.middleCols(from, rows);
    result.mask.segment(col * rows, rows) = map.mask.segment(from, rows);
    if (map.covariance.cols() > 0) {
      result.covariance.middleCols(col * rows, rows) = map.covariance.middleCols(from, rows);
    }
  }
  result.normals.row(0) *= -1.0;
  if (map.covariance.cols() > 0) result.covariance.middleRows(1, 2) *= -1.0;  // xy and xz
  result.frame.eyes = flip(map.frame.eyes, 1.0);
  return result;
}

NormalMap resize(const NormalMap& map, Size size) {
  return reframe(map, map.frame, size);
}

NormalMap reframe(const NormalMap& map, const FaceFrame& frame, Size size) {
  map.check();
  check_size(size);
  const FacePlane from(map.frame);
  const FacePlane to(frame);
  const Eigen::Matrix2d turn = to.rotation() * from.rotation().transpose();
  const Index side = samples_a_side(from, map.size, to, size);
  const double inverse_side = 1.0 / static_cast<double>(side);
  const bool has_covariance = map.covariance.cols() > 0;
  const Sampler sampler{map};

  NormalMap result{size, Matrix(3, size.pixels()), Vector(size.pixels()),
                   Matrix(6, has_covariance ? size.pixels() : 0), frame};
  parallel_for(size.cols, [&](Index col) {
    for (Index row = 0; row < size.rows; ++row) {
      Channels sum = Channels::Zero();
      double weight = 0.0;
      double mask = 0.0;
      for (Index i = 0; i < side * side; ++i) {
        const double sub_x = (static_cast<double>(i / side) + 0.5) * inverse_side;
        const double sub_y = (static_cast<double>(i % side) + 0.5) * inverse_side;
        const Point at{(static_cast<double>(col) + sub_x) / static_cast<double>(size.cols),
                       (static_cast<double>(row) + sub_y) / static_cast<double>(size.rows)};
        sampler.add(from.in_crop(to.on_face(at)), sum, weight, mask);
      }
      const Index pixel = col * size.rows + row;
      Eigen::Vector3d normal = sum.head<3>();
      normal.head<2>() = (turn * normal.head<2>()).eval();
      result.normals.col(pixel) = normal.stableNormalized();
      result.mask[pixel] = mask * inverse_side * inverse_side >= 0.5 ? 1.0 : 0.0;
      if (has_covariance) result.covariance.col(pixel) = turned(sum.tail<6>() / weight, turn);
    }
  });
  return result;
}

ColorImage normals_as_color(const NormalMap& map) {
  map.check();
  const auto plane = [&](Index axis) -> Image {
    const Vector values =
        0.5 * map.mask.array() * (map.normals.row(axis).transpose().array() + 1.0);
    return values.reshaped(map.size.rows, map.size.cols);
  };
  return {plane(0), plane(1), plane(2)};
}

Vector shading(const NormalMap& map, const Eigen::Vector3d& light) {
  return (map.normals.transpose() * light).cwiseMax(0.0);
}

}  // namespace longshot
