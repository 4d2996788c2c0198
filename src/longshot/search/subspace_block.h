// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "longshot/search/matrix_view.h"
#include "longshot/search/person_rows.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// A person as it is stored.
struct SubspaceRows {
  MatrixView basis;  // d x r
  MatrixView mean;   // d x 1
};

// People as subspaces, or affine subspaces, of orthonormal bases Q: the distance is
// (|y - m|^2 - |Q'(y - m)|^2) / |y|^2, where m is zero for a subspace.
class SubspaceBlock final : public PersonScorer {
 public:
  explicit SubspaceBlock(Index dimensions) : dimensions_(dimensions) {}

  // People [first, last) make way for others.
  void replace(Index first, Index last, std::span<const SubspaceRows> others);
  Index bytes() const { return rows_.bytes(); }

  Index people() const override { return rows_.people(); }
  void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                  float* out) const override;
  void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                   float* out) const override;
  Vector distances(Index person, const MatrixRef& features) const override;
  double far() const override { return 1.0; }

 private:
  struct Shape {
    Index rank = 0;
    bool affine = false;
  };
  // The columns of Q, each with -q'm as its last coordinate where there is a mean.
  Panels basis_of(Index person) const;
  // (-2 m, |m|^2), where there is a mean.
  Panels mean_of(Index person) const;
  Shape pack(const SubspaceRows& person, float* values) const;

  Index dimensions_;
  PersonRows<Shape> rows_;
};

}  // namespace longshot
