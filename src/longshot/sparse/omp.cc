// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/omp.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// An atom whose part outside the span of the chosen ones is below this share of its squared norm
// would only amplify rounding.
constexpr double kDependentAtom = 1e-10;
// A refit must reproduce a code that is in use, so it cuts only what is lost in rounding.
constexpr double kDependentRefit = 1e-14;
// Square of the smallest useful |tau| / |atom| relative to the signal's norm.
constexpr double kUncorrelated = 1e-20;
constexpr Index kSignalsPerBlock = 64;

void check_shapes(const MatrixRef& gram, const MatrixRef& correlations, Index norms) {
  if (gram.rows() == 0 || gram.rows() != gram.cols())
    throw Error("The Gram matrix of the atoms must be square and not empty, but it is {} x {}.",
                gram.rows(), gram.cols());
  if (correlations.rows() != gram.rows())
    throw Error("The correlations have {} rows, but the dictionary has {} atoms.",
                correlations.rows(), gram.rows());
  if (norms != correlations.cols())
    throw Error("There are {} squared norms for {} signals.", norms, correlations.cols());
}

void check_values(const MatrixRef& gram, const MatrixRef& correlations, const VectorRef& norms) {
  if (!gram.allFinite()) throw Error("The Gram matrix of the atoms holds a NaN or infinity.");
  if (!correlations.allFinite() || !norms.allFinite())
    throw Error("The correlations or squared norms of the signals hold a NaN or infinity.");
}

// The atom with the largest tau^2 weight above the threshold, the first of equals; -1 if none.
Index best_atom(const double* tau, const double* weight, Index atoms, double threshold) {
  Index best = -1;
  for (Index t = 0; t < atoms; ++t) {
    const double gain = tau[t] * tau[t] * weight[t];
    if (gain > threshold) {
      threshold = gain;
      best = t;
    }
  }
  return best;
}

}  // namespace

void OmpOptions::check() const {
  if (sparsity < 1) throw Error("OmpOptions.sparsity must be at least 1, but it is {}.", sparsity);
  if (!(relative_tolerance >= 0.0 && relative_tolerance < 1.0))
    throw Error("OmpOptions.relative_tolerance must be in [0, 1), but it is {}.",
                relative_tolerance);
}

void OmpWorkspace::reserve(Index atoms, Index sparsity) {
  if (factor_.rows() != atoms || factor_.cols() < sparsity) {
    const Index columns = std::max(factor_.cols(), sparsity);
    factor_.resize(atoms, columns);
    taus_.resize(atoms);
    weights_.resize(atoms);
    projections_.resize(columns);
    coefficients_.resize(columns);
    support_.resize(static_cast<std::size_t>(columns));
  }
}

OmpWorkspace::Outcome OmpWorkspace::pursue(const MatrixRef& gram, const double* correlations,
                                           double squared_norm, const OmpOptions& options) {
  const Index atoms = gram.rows();
  const Index sparsity = std::min(options.sparsity, atoms);
  reserve(atoms, sparsity);
  double* const tau = taus_.data();
  double* const weight = weights_.data();
  for (Index t = 0; t < atoms; ++t) {
    tau[t] = correlations[t];
    weight[t] = gram(t, t) > 0.0 ? 1.0 / gram(t, t) : 0.0;
  }

  Outcome outcome{0, std::max(0.0, squared_norm), OmpStop::kSparsity};
  const double enough = options.relative_tolerance * outcome.squared_residual;
  const double threshold = kUncorrelated * outcome.squared_residual;
  while (outcome.used < sparsity) {
    const Index k = best_atom(tau, weight, atoms, threshold);
    if (k < 0) {
      outcome.stop = OmpStop::kUncorrelated;
      break;
    }
    weight[k] = 0.0;
    double rest = gram(k, k);
    for (Index i = 0; i < outcome.used; ++i) rest -= factor_(k, i) * factor_(k, i);
    if (rest <= kDependentAtom * gram(k, k)) continue;

    // Row k of the factor is the solution w of L w = gram(I, k), so no triangular solve is needed.
    double* const column = factor_.col(outcome.used).data();
    const double* const gram_column = gram.data() + k * gram.outerStride();
    for (Index t = 0; t < atoms; ++t) column[t] = gram_column[t];
    for (Index i = 0; i < outcome.used; ++i) {
      const double w = factor_(k, i);
      const double* const earlier = factor_.col(i).data();
      for (Index t = 0; t < atoms; ++t) column[t] -= w * earlier[t];
    }
    const double scale = 1.0 / std::sqrt(rest);
    const double projection = tau[k] * scale;
    for (Index t = 0; t < atoms; ++t) {
      column[t] *= scale;
      tau[t] -= projection * column[t];
    }
    projections_[outcome.used] = projection;
    support_[static_cast<std::size_t>(outcome.used)] = k;
    ++outcome.used;
    outcome.squared_residual = std::max(0.0, outcome.squared_residual - projection * projection);
    if (outcome.squared_residual <= enough) {
      outcome.stop = OmpStop::kTolerance;
      break;
    }
  }
  back_substitute(outcome.used);
  return outcome;
}

OmpWorkspace::Outcome OmpWorkspace::refit(const MatrixRef& gram, const double* correlations,
                                          double squared_norm, const std::vector<Index>& atoms) {
  reserve(gram.rows(), static_cast<Index>(atoms.size()));
  Outcome outcome{0, std::max(0.0, squared_norm), OmpStop::kSparsity};
  for (const Index k : atoms) {
    // Rows of the factor at chosen atoms are the Cholesky factor; the other rows are not touched.
    double rest = gram(k, k);
    double projection = correlations[k];
    for (Index i = 0; i < outcome.used; ++i) {
      const Index chosen = support_[static_cast<std::size_t>(i)];
      double w = gram(chosen, k);
      for (Index j = 0; j < i; ++j) w -= factor_(chosen, j) * factor_(k, j);
      w /= factor_(chosen, i);
      factor_(k, i) = w;
      rest -= w * w;
      projection -= w * projections_[i];
    }
    if (!(rest > kDependentRefit * gram(k, k))) continue;
    const double pivot = std::sqrt(rest);
    factor_(k, outcome.used) = pivot;
    projections_[outcome.used] = projection / pivot;
    support_[static_cast<std::size_t>(outcome.used)] = k;
    outcome.squared_residual -= projections_[outcome.used] * projections_[outcome.used];
    ++outcome.used;
  }
  outcome.squared_residual = std::max(0.0, outcome.squared_residual);
  back_substitute(outcome.used);
  return outcome;
}

void OmpWorkspace::back_substitute(Index used) {
  for (Index i = used - 1; i >= 0; --i) {
    double value = projections_[i];
    for (Index j = i + 1; j < used; ++j)
      value -= factor_(support_[static_cast<std::size_t>(j)], i) * coefficients_[j];
    coefficients_[i] = value / factor_(support_[static_cast<std::size_t>(i)], i);
  }
}

OmpCode omp(const MatrixRef& gram, const VectorRef& correlations, double squared_norm,
            const OmpOptions& options) {
  OmpBatch batch = omp_batch(gram, correlations, Vector::Constant(1, squared_norm), options);
  return {batch.codes.col(0), std::move(batch.supports[0]), batch.squared_residuals[0],
          batch.stops[0]};
}

OmpBatch omp_batch(const MatrixRef& gram, const MatrixRef& correlations,
                   const VectorRef& squared_norms, const OmpOptions& options) {
  options.check();
  check_shapes(gram, correlations, squared_norms.size());
  check_values(gram, correlations, squared_norms);
  const Index count = correlations.cols();
  OmpBatch batch{Matrix::Zero(gram.rows(), count),
                 std::vector<std::vector<Index>>(static_cast<std::size_t>(count)), Vector(count),
                 std::vector<OmpStop>(static_cast<std::size_t>(count))};
  const auto code_block = [&](Index begin, Index end) {
    OmpWorkspace workspace;
    for (Index j = begin; j < end; ++j) {
      const OmpWorkspace::Outcome outcome =
          workspace.pursue(gram, correlations.col(j).data(), squared_norms[j], options);
      const auto at = static_cast<std::size_t>(j);
      batch.supports[at].assign(workspace.support().begin(),
                                workspace.support().begin() + outcome.used);
      for (Index i = 0; i < outcome.used; ++i)
        batch.codes(batch.supports[at][static_cast<std::size_t>(i)], j) =
            workspace.coefficients()[i];
      batch.squared_residuals[j] = outcome.squared_residual;
      batch.stops[at] = outcome.stop;
    }
  };
  parallel_blocks(count, kSignalsPerBlock, code_block);
  return batch;
}

Vector omp_squared_residuals(const MatrixRef& gram, const MatrixRef& correlations,
                             const VectorRef& squared_norms, const OmpOptions& options) {
  options.check();
  check_shapes(gram, correlations, squared_norms.size());
  check_values(gram, correlations, squared_norms);
  OmpWorkspace workspace;
  Vector residuals(correlations.cols());
  for (Index j = 0; j < correlations.cols(); ++j)
    residuals[j] = workspace.pursue(gram, correlations.col(j).data(), squared_norms[j], options)
                       .squared_residual;
  return residuals;
}

}  // namespace longshot
