// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/pca.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

// Relative to the largest variance; what is below comes from rounding.
constexpr double kVarianceCut = 1e-12;

void fix_signs(Matrix& basis) {
  for (auto column : basis.colwise()) {
    Index largest = 0;
    column.cwiseAbs().maxCoeff(&largest);
    if (column(largest) < 0.0) column = -column;
  }
}

Index kept_dimensions(const Vector& variances, const PcaOptions& options) {
  const double total = variances.sum();
  Index kept = 0;
  double energy = 0.0;
  while (kept < variances.size() && variances(kept) > kVarianceCut * variances(0) &&
         energy < options.energy * total) {
    energy += variances(kept++);
  }
  if (options.max_dimensions > 0) kept = std::min(kept, options.max_dimensions);
  return kept;
}

}  // namespace

void PcaOptions::check() const {
  if (max_dimensions < 0) throw Error("max_dimensions must be 0 or more, not {}.", max_dimensions);
  if (!(energy > 0.0 && energy <= 1.0)) throw Error("energy must be in (0, 1], not {}.", energy);
}

Matrix Pca::project(const MatrixRef& signals) const {
  if (signals.rows() != mean.size()) {
    throw Error("The signals have {} values, but the components were learnt from {}.",
                signals.rows(), mean.size());
  }
  return basis.transpose() * (signals.colwise() - mean);
}

Pca learn_pca(const MatrixRef& signals, const PcaOptions& options) {
  options.check();
  if (signals.rows() == 0 || signals.cols() == 0)
    throw Error("There is nothing to learn PCA from.");
  if (!signals.allFinite()) throw Error("PCA was given values that are not finite numbers.");
  Pca pca;
  pca.mean = signals.rowwise().mean();
  const Matrix centred = signals.colwise() - pca.mean;
  const auto count = static_cast<double>(std::max<Index>(1, signals.cols() - 1));
  const bool many_signals = signals.cols() >= signals.rows();
  const Matrix scatter = many_signals ? Matrix(centred * centred.transpose() / count)
                                      : Matrix(centred.transpose() * centred / count);
  const SymmetricEigen eigen = symmetric_eigen(scatter);
  const Vector variances = eigen.values.reverse().cwiseMax(0.0);
  const Index kept = kept_dimensions(variances, options);
  pca.eigenvalues = variances.head(kept);
  const Matrix vectors = eigen.vectors.rowwise().reverse().leftCols(kept);
  if (many_signals) {
    pca.basis = vectors;
  } else {
    // An eigenvector v of X'X/c gives the eigenvector X v of XX'/c, of norm sqrt(c lambda).
    pca.basis = centred * vectors;
    for (Index k = 0; k < kept; ++k) pca.basis.col(k) /= std::sqrt(count * pca.eigenvalues(k));
  }
  fix_signs(pca.basis);
  return pca;
}

}  // namespace longshot
