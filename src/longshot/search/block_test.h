// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
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
  const float no_limit = std::numeric_limits<float>::infinity();
  for (Index tile = 0; tile < probes.tiles(); ++tile) {
    std::ranges::fill(scores, no_limit);
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
    std::ranges::fill(scores, no_limit);
    scorer.score_probe(first, last, few, j, scores.data());
    for (Index i = first; i < last; ++i) {
      EXPECT_NEAR(scores[static_cast<std::size_t>(i - first)], expected(i, j), tolerance);
    }
  }
}

// That limits change no score below them, and let no other come below them; `share` of the scores
// are below. `score` is given an array of limits, and gives scores.
template <typename Score>
void expect_limit_to_be_kept(std::size_t count, double share, const Score& score) {
  std::vector<float> free(count, std::numeric_limits<float>::infinity());
  score(free.data());
  std::vector<float> sorted = free;
  std::ranges::sort(sorted);
  const float limit = sorted[static_cast<std::size_t>(share * static_cast<double>(count))];
  std::vector<float> limited(count, limit);
  score(limited.data());
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(free[i] < limit ? limited[i] == free[i] : !(limited[i] < limit)) << limit;
  }
}

inline void expect_limits_to_be_kept(const PersonScorer& scorer, const Matrix& features,
                                     double share) {
  const auto people = static_cast<std::size_t>(scorer.people());
  const ProbeTiles probes(features);
  for (Index tile = 0; tile < features.cols() / kTileProbes; ++tile) {
    expect_limit_to_be_kept(people * kTileProbes, share, [&](float* scores) {
      scorer.score_tile(0, scorer.people(), probes, tile, scores);
    });
  }
  const ProbeTiles few(features.leftCols(1));
  expect_limit_to_be_kept(people, share, [&](float* scores) {
    scorer.score_probe(0, scorer.people(), few, 0, scores);
  });
}

// And that searching, for a batch and for one probe, ranks as all distances in double precision do.
inline void expect_exact_search(const PersonScorer& scorer, const Matrix& features) {
  const Matches expected = nearest_people(all_distances(scorer, features), 10);
  EXPECT_EQ(search_people(scorer, features, 10).people, expected.people);
  EXPECT_EQ(search_people(scorer, features.leftCols(1), 10).people, expected.people.leftCols(1));
}

}  // namespace longshot
