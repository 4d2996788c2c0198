// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/search/person_scorer.h"

namespace longshot {

// What every block must hold: scores in single precision are near the distances, for tiles that are
// not full, single probes and any range of people.
inline void expect_scores_near_distances(const PersonScorer& scorer, const Matrix& features,
                                         double tolerance) {
  const Matrix expected = all_distances(scorer, features);
  const ProbeTiles probes(features);
  const Index first = 1;
  const Index last = scorer.people();
  std::vector<float> scores(static_cast<std::size_t>((last - first) * kTileProbes));
  for (Index tile = 0; tile < probes.tiles(); ++tile) {
    scorer.score_tile(first, last, probes, tile, scores.data());
    for (Index i = first; i < last; ++i) {
      for (Index j = tile * kTileProbes; j < std::min(features.cols(), (tile + 1) * kTileProbes);
           ++j) {
        const float score =
            scores[static_cast<std::size_t>((i - first) * kTileProbes + j % kTileProbes)];
        EXPECT_NEAR(score, expected(i, j), tolerance) << "person " << i << ", probe " << j;
      }
    }
  }
  const ProbeTiles few(features.leftCols(2));
  for (Index j = 0; j < 2; ++j) {
    scorer.score_probe(first, last, few, j, scores.data());
    for (Index i = first; i < last; ++i) {
      EXPECT_NEAR(scores[static_cast<std::size_t>(i - first)], expected(i, j), tolerance);
    }
  }
}

// And that searching, for a batch and for one probe, ranks as all distances in double precision do.
inline void expect_exact_search(const PersonScorer& scorer, const Matrix& features) {
  const Matches expected = nearest_people(all_distances(scorer, features), 10);
  EXPECT_EQ(search_people(scorer, features, 10).people, expected.people);
  EXPECT_EQ(search_people(scorer, features.leftCols(1), 10).people, expected.people.leftCols(1));
}

}  // namespace longshot
