// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/nnls.h"

#include <algorithm>
#include <limits>
#include <vector>

#include <Eigen/QR>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// The least squares solution on the passive columns, 0 elsewhere.
Vector solve_passive(const Matrix& a, const Vector& b, const std::vector<Index>& passive) {
  const Matrix columns = a(Eigen::all, passive);
  const Vector z = columns.colPivHouseholderQr().solve(b);
  Vector x = Vector::Zero(a.cols());
  x(passive) = z;
  return x;
}

// [a b] = Q [r c]: |a x - b| = |r x - c| for every x. Nothing to gain for a short `a`.
void reduce_rows(Matrix& a, Vector& b) {
  const Index k = a.cols();
  if (a.rows() <= k + 1) return;
  Matrix both(a.rows(), k + 1);
  both << a, b;
  const Eigen::HouseholderQR<Matrix> qr(both);
  const Matrix r = qr.matrixQR().topRows(k + 1).triangularView<Eigen::Upper>();
  a = r.leftCols(k);
  b = r.col(k);
}

}  // namespace

void NnlsOptions::check() const {
  if (max_iterations < 0)
    throw Error("max_iterations of NNLS is {}, must be >= 0.", max_iterations);
}

NnlsResult nnls(const MatrixRef& a_in, const VectorRef& b_in, const NnlsOptions& options) {
  options.check();
  if (a_in.rows() != b_in.size()) {
    throw Error("NNLS needs one right-hand side per row: {} rows, {} values.", a_in.rows(),
                b_in.size());
  }
  if (!a_in.allFinite() || !b_in.allFinite()) {
    throw Error("NNLS was given values that are not finite numbers.");
  }
  Matrix a = a_in;
  Vector b = b_in;
  reduce_rows(a, b);
  const Index k = a.cols();
  const int max_iterations =
      options.max_iterations > 0 ? options.max_iterations : static_cast<int>(10 * k);
  // A gradient this small is rounding error of the columns' products with the residual.
  const double tolerance = 100.0 * std::numeric_limits<double>::epsilon() *
                           (k > 0 ? a.colwise().norm().maxCoeff() : 0.0) * b.norm();

  NnlsResult result;
  result.x = Vector::Zero(k);
  std::vector<Index> passive;
  std::vector<bool> refused(static_cast<std::size_t>(k), false);
  while (result.iterations < max_iterations) {
    const Vector gradient = a.transpose() * (b - a * result.x);
    Index best = -1;
    for (Index j = 0; j < k; ++j) {
      const bool free = std::find(passive.begin(), passive.end(), j) == passive.end();
      if (free && !refused[static_cast<std::size_t>(j)] && gradient(j) > tolerance &&
          (best < 0 || gradient(j) > gradient(best))) {
        best = j;
      }
    }
    if (best < 0) {
      result.converged = true;
      break;
    }
    passive.push_back(best);
    ++result.iterations;
    Vector z = solve_passive(a, b, passive);
    if (z(best) <= 0.0) {
      // Rounding contradicts the gradient (step 6 of Lawson and Hanson loops here): a column that
      // depends on the passive ones. It may not enter until the solution has moved.
      passive.pop_back();
      refused[static_cast<std::size_t>(best)] = true;
      continue;
    }
    std::fill(refused.begin(), refused.end(), false);
    while (true) {
      double step = 1.0;
      for (const Index j : passive) {
        if (z(j) <= 0.0) step = std::min(step, result.x(j) / (result.x(j) - z(j)));
      }
      result.x += step * (z - result.x);
      if (step >= 1.0) break;
      std::erase_if(passive, [&](Index j) {
        const bool out = z(j) <= 0.0 && result.x(j) <= 1e-14 * result.x.maxCoeff();
        if (out) result.x(j) = 0.0;
        return out;
      });
      ++result.iterations;
      z = solve_passive(a, b, passive);
    }
  }
  result.x = result.x.cwiseMax(0.0);
  result.squared_residual = (a * result.x - b).squaredNorm();
  return result;
}

}  // namespace longshot
