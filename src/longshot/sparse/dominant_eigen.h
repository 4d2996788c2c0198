// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// Unit eigenvector of the largest eigenvalue of a symmetric positive semidefinite matrix, by
// repeated squaring: for the ten or so signals that share an atom this is several times faster than
// a full decomposition, and it has no start vector that could miss the answer. Where the two
// largest eigenvalues agree to about 1e-7, any mixture of their vectors may come back. A matrix
// without a positive trace gives zero.
class DominantEigen {
 public:
  // matrix: n x n, overwritten; vector: n. Allocates only when n grows.
  void compute(Eigen::Ref<Matrix> matrix, Eigen::Ref<Vector> vector);

 private:
  Matrix square_;
};

}  // namespace longshot
