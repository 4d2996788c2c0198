// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mirror.h"

#include <algorithm>
#include <array>

#include "longshot/core/error.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// The two neighbours of a coordinate (pixel centres at whole numbers) and their shares.
struct Neighbours {
  Neighbours(double at, Index count) {
    const double inside = std::clamp(at, 0.0, static_cast<double>(count - 1));
    index[0] = static_cast<Index>(inside);
    index[1] = std::min(index[0] + 1, count - 1);
    share[1] = inside - static_cast<double>(index[0]);
    share[0] = 1.0 - share[1];
  }
  std::array<Index, 2> index{};
  std::array<double, 2> share{};
};

}  // namespace

Matrix mirror_about_face(const MatrixRef& channels, const FaceFrame& frame, Size size) {
  if (channels.cols() != size.pixels()) {
    throw Error("Mirroring needs {} pixels, not {}.", size.pixels(), channels.cols());
  }
  const FacePlane plane(frame);
  const double cols = static_cast<double>(size.cols);
  const double rows = static_cast<double>(size.rows);
  Matrix result = Matrix::Zero(channels.rows(), channels.cols());
  for (Index p = 0; p < size.pixels(); ++p) {
    Eigen::Vector2d at = plane.on_face({(static_cast<double>(p / size.rows) + 0.5) / cols,
                                        (static_cast<double>(p % size.rows) + 0.5) / rows});
    at.x() = -at.x();
    const Point from = plane.in_crop(at);
    const Neighbours x(from.x * cols - 0.5, size.cols);
    const Neighbours y(from.y * rows - 0.5, size.rows);
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t j = 0; j < 2; ++j) {
        result.col(p) +=
            x.share[i] * y.share[j] * channels.col(x.index[i] * size.rows + y.index[j]);
      }
    }
  }
  return result;
}

Matrix mirror_normals(const MatrixRef& normals, const FaceFrame& frame, Size size) {
  if (normals.rows() != 3) throw Error("Normals need 3 rows, not {}.", normals.rows());
  const Eigen::Matrix2d turn = FacePlane(frame).rotation();
  const Eigen::Matrix2d reflect = turn * Eigen::Vector2d(-1.0, 1.0).asDiagonal() * turn.transpose();
  Matrix result = mirror_about_face(normals, frame, size);
  result.topRows(2) = (reflect * result.topRows(2)).eval();
  for (Index p = 0; p < result.cols(); ++p) result.col(p).stableNormalize();
  return result;
}

}  // namespace longshot
