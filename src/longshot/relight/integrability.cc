// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/integrability.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// Orthonormal discrete cosine transform (DCT-II): n x n.
Matrix cosine_transform(Index n) {
  Matrix result(n, n);
  const double count = static_cast<double>(n);
  for (Index k = 0; k < n; ++k) {
    const double scale = std::sqrt((k == 0 ? 1.0 : 2.0) / count);
    for (Index i = 0; i < n; ++i) {
      result(k, i) = scale * std::cos(std::numbers::pi * static_cast<double>(k) *
                                      (static_cast<double>(i) + 0.5) / count);
    }
  }
  return result;
}

// Eigenvalues of D^T D, D the differences of neighbours of n values.
Vector difference_eigenvalues(Index n) {
  Vector result(n);
  for (Index k = 0; k < n; ++k) {
    result[k] =
        2.0 - 2.0 * std::cos(std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  }
  return result;
}

// D^T g for g = the mean slope between neighbouring rows times the step.
Image divergence(const Image& slope, double step) {
  Image result = Image::Zero(slope.rows(), slope.cols());
  const Index n = slope.rows() - 1;
  const Image between = 0.5 * step * (slope.topRows(n) + slope.bottomRows(n));
  result.topRows(n) -= between;
  result.bottomRows(n) += between;
  return result;
}

// dz/drow by central differences, one-sided at the ends.
Image row_slopes(const Image& height, double step) {
  const Index last = height.rows() - 1;
  Image result(height.rows(), height.cols());
  for (Index r = 0; r <= last; ++r) {
    const Index before = std::max<Index>(r - 1, 0);
    const Index after = std::min(r + 1, last);
    result.row(r) = (height.row(after) - height.row(before)) /
                    (step * static_cast<double>(std::max<Index>(after - before, 1)));
  }
  return result;
}

}  // namespace

Image integrate_slopes(const Image& slope_x, const Image& slope_y, double step_x, double step_y) {
  check_image(slope_x, "The slope in x");
  check_image(slope_y, "The slope in y");
  if (size_of(slope_x) != size_of(slope_y) || !(step_x > 0.0) || !(step_y > 0.0)) {
    throw Error("Slopes need equal sizes and steps above 0 to be integrated.");
  }
  // Rows run down and y up, hence the minus.
  Image right = divergence(-slope_y, step_y) / (step_y * step_y);
  right += divergence(slope_x.transpose(), step_x).transpose() / (step_x * step_x);

  const Matrix down = cosine_transform(slope_x.rows());
  const Matrix across = cosine_transform(slope_x.cols());
  Matrix spectrum = down * right * across.transpose();
  const Vector y_values = difference_eigenvalues(slope_x.rows()) / (step_y * step_y);
  const Vector x_values = difference_eigenvalues(slope_x.cols()) / (step_x * step_x);
  for (Index c = 0; c < spectrum.cols(); ++c) {
    for (Index r = 0; r < spectrum.rows(); ++r) {
      const double eigenvalue = y_values[r] + x_values[c];
      spectrum(r, c) = eigenvalue > 0.0 ? spectrum(r, c) / eigenvalue : 0.0;
    }
  }
  return down.transpose() * spectrum * across;
}

NormalMap make_integrable(const NormalMap& map) {
  map.check();
  if (map.size.rows < 2 || map.size.cols < 2) return map;
  constexpr double kLeastZ = 0.1;
  const Eigen::ArrayXd z = map.normals.row(2).transpose().array().max(kLeastZ);
  const auto slope = [&](Index axis) -> Image {
    const Vector values = -map.normals.row(axis).transpose().array() / z;
    return values.reshaped(map.size.rows, map.size.cols);
  };
  // In widths of the crop, as the scene shows it.
  const double step_x = 1.0 / static_cast<double>(map.size.cols);
  const double step_y = map.frame.aspect / static_cast<double>(map.size.rows);
  const Image height = integrate_slopes(slope(0), slope(1), step_x, step_y);
  const Image slope_x = row_slopes(height.transpose(), step_x).transpose();
  const Image slope_y = -row_slopes(height, step_y);

  NormalMap result = map;
  for (Index p = 0; p < map.size.pixels(); ++p) {
    result.normals.col(p) =
        Eigen::Vector3d(-slope_x.reshaped()[p], -slope_y.reshaped()[p], 1.0).normalized();
  }
  return result;
}

}  // namespace longshot
