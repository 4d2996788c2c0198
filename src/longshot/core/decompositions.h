// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// Decompositions of matrices of any size. They are compiled here once: Eigen's templates for one of
// them take longer to compile than all the rest of a file that uses it.

struct SymmetricEigen {
  Vector values;   // n, ascending
  Matrix vectors;  // n x n, the eigenvector of each value in its column
};

// symmetric: n x n; its lower half is read. The vectors have unit length.
SymmetricEigen symmetric_eigen(const Matrix& symmetric);
Vector symmetric_eigenvalues(const Matrix& symmetric);

// a v = value b v, for b positive definite; the vectors have v' b v = 1.
SymmetricEigen symmetric_eigen(const Matrix& a, const Matrix& b);

struct LeftSingular {
  Vector values;   // min(d, n), descending
  Matrix vectors;  // d x min(d, n), the singular vector of each value in its column
};

// matrix: d x n.
LeftSingular left_singular(const Matrix& matrix);

}  // namespace longshot
