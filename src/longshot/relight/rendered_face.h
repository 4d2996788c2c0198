// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "longshot/relight/face_shape.h"
#include "longshot/relight/normal_map.h"

// A face whose normals, albedo and light are known exactly, for tests and benchmarks.
namespace longshot {

inline NormalMap test_face_map(Size size = {48, 40}) {
  return normals_of_shape(mean_face_shape(), FaceFrame{}, size);
}

// Between 0.3 and 1, not left-right symmetric.
inline Vector test_albedo(Size size) {
  Vector albedo(size.pixels());
  for (Index p = 0; p < size.pixels(); ++p) {
    const auto row = static_cast<double>(p % size.rows);
    const auto col = static_cast<double>(p / size.rows);
    albedo(p) = 0.65 + 0.2 * std::sin(0.9 * row + 0.3) + 0.15 * std::cos(0.7 * col);
  }
  return albedo;
}

// rho (max(n.s, 0) + ambient), also off the mask.
inline Image render(const NormalMap& map, const Vector& albedo, const Eigen::Vector3d& source,
                    double ambient = 0.0) {
  const Vector shading = (map.normals.transpose() * source).cwiseMax(0.0).array() + ambient;
  const Vector intensity = albedo.cwiseProduct(shading);
  return intensity.reshaped(map.size.rows, map.size.cols);
}

}  // namespace longshot
