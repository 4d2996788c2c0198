// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

struct FistaOptions {
  double mu = 0.01;  // weight of |g|_1 against half the squared error, > 0
  // A signal is done when its duality gap is below this share of the objective at g = 0, > 0.
  double tolerance = 1e-4;
  Index max_iterations = 1000;  // per signal, >= 1
  Index block = 64;             // signals that are solved side by side, >= 1

  void check() const;
};

struct FistaResult {
  Matrix codes;                            // K x n
  Vector gaps;                             // n: duality gap over the objective at g = 0
  Eigen::Matrix<Index, -1, 1> iterations;  // n
  Index unfinished = 0;                    // signals that ran out of iterations
};

// For every signal y, min over g of |y - D g|^2 / 2 + mu |g|_1, by the fast iterative
// shrinkage-thresholding algorithm (Beck and Teboulle, 2009), its momentum restarted where it
// points uphill (O'Donoghue and Candes, 2015). Throws Error on sizes or values that do not fit.
FistaResult fista(const MatrixRef& dictionary,  // d x K
                  const MatrixRef& signals,     // d x n
                  const FistaOptions& options);

}  // namespace longshot
