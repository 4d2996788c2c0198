// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/dominant_eigen.h"

#include <algorithm>
#include <cassert>

namespace longshot {
namespace {

// After 24 squarings an eigenvalue ratio of 1 - 1e-7 has become exp(-1.7).
constexpr int kMaxSquarings = 24;
// With unit trace, 1 - trace(C^2) is about twice the share of the other eigenvalues; the squaring
// that measured it has already squared that share again, to 1e-11.
constexpr double kAlmostRankOne = 1.0 - 5e-6;

}  // namespace

void DominantEigen::compute(Eigen::Ref<Matrix> matrix, Eigen::Ref<Vector> vector) {
  const Index n = matrix.rows();
  assert(matrix.cols() == n && vector.size() == n && n > 0);
  if (square_.rows() < n) square_.resize(n, n);
  const double trace = matrix.trace();
  if (!(trace > 0.0)) {
    vector.setZero();
    return;
  }
  matrix *= 1.0 / trace;
  for (int i = 0; i < kMaxSquarings; ++i) {
    double next_trace = 0.0;
    for (Index b = 0; b < n; ++b) {
      const double* const column_b = matrix.col(b).data();
      for (Index a = 0; a <= b; ++a) {
        const double* const column_a = matrix.col(a).data();
        double even = 0.0;
        double odd = 0.0;
        Index t = 0;
        for (; t + 1 < n; t += 2) {
          even += column_a[t] * column_b[t];
          odd += column_a[t + 1] * column_b[t + 1];
        }
        if (t < n) even += column_a[t] * column_b[t];
        square_(a, b) = even + odd;
      }
      next_trace += square_(b, b);
    }
    const double scale = 1.0 / next_trace;
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a <= b; ++a) matrix(a, b) = matrix(b, a) = scale * square_(a, b);
    if (next_trace > kAlmostRankOne) break;
  }
  Index largest = 0;
  matrix.diagonal().maxCoeff(&largest);
  vector = matrix.col(largest).normalized();
}

}  // namespace longshot
