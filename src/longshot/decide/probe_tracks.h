// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// Which probes show one person, and how much each of them tells.
struct ProbeTracks {
  std::vector<Index> track;  // of each probe, 0 to count - 1
  Vector weight;             // of each probe, >= 0; those of a track are not all 0
  Index count = 0;
};

// The weighted mean over the probes of each track, rows x n -> rows x count.
Matrix track_means(const MatrixRef& values, const ProbeTracks& tracks);

// For each track the weighted mean of the correlations between two of its columns (rows x n): 1
// where all say the same, and for a single one.
Vector track_likeness(const MatrixRef& values, const ProbeTracks& tracks);

// For each track how many probes of equal weight say as much: (sum of weights)^2 / sum of squares.
Vector equal_frames(const ProbeTracks& tracks);

}  // namespace longshot
