// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

struct SoftSubspaceOptions {
  Index dimensions = 12;  // of a person's subspace at most, >= 1
  double spread = 1.0;    // variance along the subspace, in units of the samples' own, > 0
  double nearest = 3.0;   // weight of the angle to the nearest sample, >= 0

  void check() const;
};

// A person as a Gaussian in whitened features, N(m, I + U diag(lambda) U'): soft, because a probe
// may leave the subspace of the samples at the price of a unit variance, and may wander along it
// only as far as the samples do. The distance of y is
//   |y - m|^2 - sum_k lambda_k/(lambda_k + 1) (u_k'(y - m))^2 + sum_k log(lambda_k + 1)
//   + nearest d (1 - max_j cos(y, x_j)),
// where x_j are the samples within the subspace. It is never negative.
struct SoftSubspace {
  Vector mean;       // d
  Matrix basis;      // d x k, orthonormal
  Vector shrinkage;  // k: lambda / (lambda + 1)
  double offset = 0.0;
  // (k + 2) x m: the cosine with sample j is column j times (U'(y - m), m'(y - m), 1), over |y|.
  Matrix samples;
};

SoftSubspace learn_soft_subspace(const MatrixRef& samples, const SoftSubspaceOptions& options);

// Of features in columns (d x n), one each.
Vector soft_distances(const SoftSubspace& person, const MatrixRef& features, double nearest);

}  // namespace longshot
