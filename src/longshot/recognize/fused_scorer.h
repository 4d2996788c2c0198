// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/recognize/plda.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// People who are compared by a distance d of their pixels and by likelihood ratios r_i of other
// features, for one batch of probes. The fused distance is d exp(-sum_i w_i r_i): its logarithm is
// a sum of evidence, and the ratio of two people's distances stays what says how sure one may be.
class FusedScorer final : public PersonScorer {
 public:
  struct Part {
    const PldaPeople* people = nullptr;  // the same as those of the pixels, in the same order
    double weight = 0.0;                 // w, >= 0
    Matrix probes;                       // coordinates, d_i x n; 0 of a probe without content
  };

  // `pixels` and the people of the parts must outlive it. `features` are d x n.
  FusedScorer(const PersonScorer& pixels, const MatrixRef& features, std::vector<Part> parts);

  // Features of the pixels, then the coordinates of all parts: what to give all_distances() and
  // search_people().
  const Matrix& features() const { return features_; }

  Index people() const override { return pixels_.people(); }
  void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                  float* scores) const override;
  void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                   float* scores) const override;
  Vector distances(Index person, const MatrixRef& features) const override;
  double far() const override { return pixels_.far(); }

 private:
  const PersonScorer& pixels_;
  std::vector<Part> parts_;
  std::vector<PldaProbes> probes_;  // of the parts, with the weights -w
  Matrix features_;
  ProbeTiles tiles_;  // of the pixels' features
};

}  // namespace longshot
