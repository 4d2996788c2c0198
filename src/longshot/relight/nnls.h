// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

struct NnlsOptions {
  int max_iterations = 0;  // changes of the passive set; 0 means 10 per unknown
  void check() const;
};

struct NnlsResult {
  Vector x;                     // k, all >= 0
  int iterations = 0;           // changes of the passive set
  double squared_residual = 0;  // |a x - b|^2
  bool converged = false;       // false: stopped at max_iterations, x is feasible all the same
};

// argmin |a x - b|^2 over x >= 0, by the active-set method of Lawson and Hanson, "Solving Least
// Squares Problems" (1974), chapter 23. `a` is m x k, `b` has m entries. The problem is first
// reduced to k + 1 rows by one QR factorisation, so that a tall `a` costs no more afterwards, and
// without squaring its condition number. Throws Error for sizes that disagree or values that are
// not finite.
NnlsResult nnls(const MatrixRef& a, const VectorRef& b, const NnlsOptions& options = {});

}  // namespace longshot
