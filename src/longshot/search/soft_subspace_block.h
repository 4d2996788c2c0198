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
  Index bytes() const { return rows_.bytes() + samples_.bytes(); }

  Index people() const override { return rows_.people(); }
  void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                  float* scores) const override;
  void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                   float* scores) const override;
  Vector distances(Index person, const MatrixRef& features) const override;
  // Further than any face: features have a mean square of about one per dimension.
  double far() const override { return 100.0 * static_cast<double>(dimensions_) + 2.0 * weight_; }

 private:
  struct Shape {
    Index rank = 0;
    Index samples = 0;
    float offset = 0.0F;
    float mean_energy = 0.0F;  // |m|^2
    // For a bound of the cosines. Those of all samples are v_j'y / |y| + r_j / |y| with v_j in the
    // span of U and m, so none is above (longest |P y| + rest) / |y|.
    float basis_energy = 0.0F;  // |U'm|^2
    float inverse_outside =
        0.0F;              // 1 / |m - U U'm|^2; infinite where m hardly leaves the span of U
    float longest = 0.0F;  // max_j |v_j|
    float rest = 0.0F;     // max_j r_j
  };
  struct NoShape {};
  // What the bound needs to know about a probe and its codes U'(y - m).
  struct Reach {
    float base;     // the distance without the samples
    float square;   // sum of squares of the codes
    float along;    // -m'U times the codes
    float mean;     // m'(y - m)
    float energy;   // |y|^2
    float inverse;  // 1 / |y|
  };
  // Columns of U, then m, with their products with -m as last coordinates.
  Panels directions_of(Index person) const;
  Panels samples_of(Index person) const;
  const float* shrinkage_of(Index person) const;
  const float* inside_of(Index person) const;  // -U'm
  Shape pack(const SoftSubspaceRows& person, float* values) const;
  // Whether no sample can bring the distance below the limit.
  bool is_ruled_out(const Shape& shape, const Reach& reach, float limit) const;

  Index dimensions_;
  double weight_;
  Index most_rank_ = 0;
  Index most_samples_ = 0;
  PersonRows<Shape> rows_;
  PersonRows<NoShape> samples_;  // apart, as most are never looked at
};

}  // namespace longshot
