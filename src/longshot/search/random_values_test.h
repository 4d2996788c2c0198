// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <Eigen/QR>

#include "longshot/core/matrix.h"
#include "longshot/core/random.h"
#include "longshot/search/matrix_view.h"

namespace longshot {

inline Matrix random_values(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix values(rows, cols);
  for (double& value : values.reshaped()) value = random.normal();
  return values;
}

inline Matrix random_basis(Index dimensions, Index rank, std::uint64_t seed) {
  Matrix basis = Matrix::Identity(dimensions, rank);
  basis.applyOnTheLeft(random_values(dimensions, rank, seed).householderQr().householderQ());
  return basis;
}

inline MatrixView view_of(const MatrixF& values) {
  return {values.data(), values.rows(), values.cols()};
}

// As an index keeps them. In two steps: GCC 12 leaves the rounding out of Eigen's two casts in one.
inline Matrix in_single_precision(const MatrixRef& values) {
  const MatrixF rounded = values.cast<float>();
  return rounded.cast<double>();
}

}  // namespace longshot
