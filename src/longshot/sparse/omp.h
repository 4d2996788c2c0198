// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// Batch orthogonal matching pursuit with a progressive Cholesky factor (Rubinstein, Zibulevsky and
// Elad, 2008). The coder sees only inner products, so one coder serves three cases:
//                gram (K x K)                  correlations (K)              squared norm
//   linear       D' D                          D' x                          x' x
//   kernel       A' Kx A                       A' k_z                        k(z, z)
//   joint        A' (K_H + lambda K_L) A       A' (kH_j + lambda kL_j)       K_H(j,j) + lambda
//   K_L(j,j)
// The kernel case is KOMP of Shekhar et al., Appendix A, with the atom t that maximises
// |tau_t| / sqrt(gram(t,t)); the paper's |tau_t| is the same for atoms of unit norm.

struct OmpOptions {
  Index sparsity = 5;               // T0 or T: most atoms per signal, >= 1; more than K means K
  double relative_tolerance = 0.0;  // stop at this fraction of the squared norm, in [0, 1)
  void check() const;
};

enum class OmpStop {
  kSparsity,      // `sparsity` atoms are in use
  kTolerance,     // the residual is small enough
  kUncorrelated,  // no usable atom is left that correlates with the residual
};

struct OmpCode {
  Vector code;                 // K, zero outside the support
  std::vector<Index> support;  // in the order of selection
  double squared_residual = 0.0;
  OmpStop stop = OmpStop::kSparsity;
};

struct OmpBatch {
  Matrix codes;                              // K x n, one signal per column
  std::vector<std::vector<Index>> supports;  // n, each in the order of selection
  Vector squared_residuals;                  // n
  std::vector<OmpStop> stops;                // n
};

OmpCode omp(const MatrixRef& gram,          // K x K, symmetric
            const VectorRef& correlations,  // K
            double squared_norm, const OmpOptions& options);

// Many signals over one dictionary, in parallel.
OmpBatch omp_batch(const MatrixRef& gram,           // K x K, symmetric
                   const MatrixRef& correlations,   // K x n, one signal per column
                   const VectorRef& squared_norms,  // n
                   const OmpOptions& options);

// Squared residuals alone, in the calling thread: what a search over many people needs.
Vector omp_squared_residuals(const MatrixRef& gram,           // K x K, symmetric
                             const MatrixRef& correlations,   // K x n, one signal per column
                             const VectorRef& squared_norms,  // n
                             const OmpOptions& options);

// For inner loops: after the first call with a given size nothing is allocated and nothing is
// checked. The code of the last signal is support[i], coefficients[i] for i in [0, used).
class OmpWorkspace {
 public:
  struct Outcome {
    Index used = 0;
    double squared_residual = 0.0;
    OmpStop stop = OmpStop::kSparsity;
  };

  Outcome pursue(const MatrixRef& gram,       // K x K, symmetric
                 const double* correlations,  // K
                 double squared_norm, const OmpOptions& options);

  // Least squares on the given atoms; one that depends on those before it gets the coefficient 0.
  Outcome refit(const MatrixRef& gram,       // K x K, symmetric
                const double* correlations,  // K
                double squared_norm, const std::vector<Index>& atoms);

  const std::vector<Index>& support() const { return support_; }
  const Vector& coefficients() const { return coefficients_; }

 private:
  void reserve(Index atoms, Index sparsity);
  void back_substitute(Index used);

  Matrix factor_;       // K x T: column n is the n-th orthonormalised atom's product with all atoms
  Vector taus_;         // K: correlation of each atom with the residual
  Vector weights_;      // K: 1 / gram(t,t), or 0 for an atom that is taken or unusable
  Vector projections_;  // T: product of the signal with each orthonormalised atom
  Vector coefficients_;
  std::vector<Index> support_;
};

}  // namespace longshot
