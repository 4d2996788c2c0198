// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

struct PcaOptions {
  Index max_dimensions = 0;  // at most so many components; 0: no limit
  double energy = 1.0;       // in (0, 1]: the fraction of the variance that is kept

  void check() const;
};

// Principal components of one resolution. Low-resolution features are always computed with the
// low-resolution components from the low-resolution image, never from high-resolution features.
struct Pca {
  Vector mean;         // N
  Matrix basis;        // N x d, orthonormal columns, largest variance first
  Vector eigenvalues;  // d variances along them

  Index dimensions() const { return basis.cols(); }
  Matrix project(const MatrixRef& signals) const;  // N x n -> d x n
};

// From signals in columns (N x n), by the smaller of the N x N and the n x n problem. Signs are
// fixed (the largest component of each direction is positive), so equal data gives equal features.
// Directions without variance are dropped. Throws Error if there is no signal or no finite one.
Pca learn_pca(const MatrixRef& signals, const PcaOptions& options = {});

}  // namespace longshot
