// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/search/person_rows.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// People as subspaces, or affine subspaces, of orthonormal bases Q: the distance is
// (|y - m|^2 - |Q'(y - m)|^2) / |y|^2, where m is zero for a subspace.
class SubspaceBlock final : public PersonScorer {
 public:
  explicit SubspaceBlock(Index dimensions) : dimensions_(dimensions) {}

  void reserve(Index people, Index rank);
  void add(const MatrixRef& basis,  // d x r
           const VectorRef& mean);  // d
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

  Index dimensions_;
  std::vector<Shape> shapes_;
  PersonRows rows_;
};

}  // namespace longshot
