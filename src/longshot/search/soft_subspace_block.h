// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "longshot/search/matrix_view.h"
#include "longshot/search/person_rows.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// A person as a Gaussian N(m, I + U diag(lambda) U') in whitened features; the distance of y is
//   |y - m|^2 - sum_k s_k (u_k'(y - m))^2 + offset + weight (1 - max_j cos(y, x_j))
// with s_k = lambda_k / (lambda_k + 1), and x_j samples within the subspace. It is never negative.
struct SoftSubspace {
  Vector mean;       // d
  Matrix basis;      // d x k, orthonormal
  Vector shrinkage;  // k: s
  double offset = 0.0;
  // (k + 2) x n: the cosine with sample j is column j times (U'(y - m), m'(y - m), 1), over |y|.
  Matrix samples;
};

// The same as it is stored.
struct SoftSubspaceRows {
  MatrixView mean;
  MatrixView basis;
  MatrixView shrinkage;
  float offset = 0.0F;
  MatrixView samples;
};

// People as soft subspaces.
class SoftSubspaceBlock final : public PersonScorer {
 public:
  // `weight` >= 0.
  SoftSubspaceBlock(Index dimensions, double weight) : dimensions_(dimensions), weight_(weight) {}

  // People [first, last) make way for others.
  void replace(Index first, Index last, std::span<const SoftSubspaceRows> others);
  Index bytes() const { return rows_.bytes(); }

  Index people() const override { return rows_.people(); }
  void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                  float* out) const override;
  void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                   float* out) const override;
  Vector distances(Index person, const MatrixRef& features) const override;
  // Further than any face: features have a mean square of about one per dimension.
  double far() const override { return 100.0 * static_cast<double>(dimensions_) + 2.0 * weight_; }

 private:
  struct Shape {
    Index rank = 0;
    Index samples = 0;
    float offset = 0.0F;
    float mean_energy = 0.0F;  // |m|^2
  };
  // Columns of U, then m, with their products with -m as last coordinates.
  Panels directions_of(Index person) const;
  Panels samples_of(Index person) const;
  const float* shrinkage_of(Index person) const;
  Shape pack(const SoftSubspaceRows& person, float* values) const;

  Index dimensions_;
  double weight_;
  Index most_rank_ = 0;
  Index most_samples_ = 0;
  PersonRows<Shape> rows_;
};

}  // namespace longshot
