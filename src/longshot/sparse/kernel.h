// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

enum class KernelKind {
  kLinear,      // <x, y>
  kPolynomial,  // (<x, y> + c)^degree; Shekhar et al. misplace the bracket
  kRbf,         // exp(-|x - y|^2 / c); note c, not 2 sigma^2
};

struct Kernel {
  KernelKind kind = KernelKind::kRbf;
  double c = 1.0;  // rbf: > 0, in squared units of the samples; polynomial: >= 0
  int degree = 2;  // polynomial: in [1, 10]
  void check() const;
};

// m x m, exactly symmetric.
Matrix kernel_gram(const Kernel& kernel, const MatrixRef& samples);  // d x m

// m x n: kernel of each column of x with each column of y.
Matrix kernel_cross(const Kernel& kernel,
                    const MatrixRef& x,   // d x m
                    const MatrixRef& y);  // d x n

// m: kernel of each column with itself.
Vector kernel_diagonal(const Kernel& kernel, const MatrixRef& samples);  // d x m

// Turns inner products X' Y into kernel values in place, for callers that block the product
// themselves. Sizes are only asserted.
void apply_kernel(const Kernel& kernel,
                  const VectorRef& x_squared_norms,    // m
                  const VectorRef& y_squared_norms,    // n
                  Eigen::Ref<Matrix> inner_products);  // m x n

// Replaces a matrix by the mean of itself and its transpose.
void symmetrise(Matrix& matrix);  // m x m

// Median squared distance between columns of different groups: the unit in which the width c of an
// RBF kernel is chosen. At most 1500 columns, evenly spread, take part.
double median_squared_distance(const MatrixRef& samples,         // d x m
                               const std::vector<int>& groups);  // m

}  // namespace longshot
