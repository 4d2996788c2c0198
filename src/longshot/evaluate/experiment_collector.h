// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/evaluate/summary.h"

namespace longshot {

inline constexpr Index kRanks = 20;  // of the CMC
inline constexpr double kFpirs[] = {0.01, 0.1};

// Collects the runs of one method, size and noise level.
struct Collector {
  RunValues rank1;
  std::vector<std::vector<Vector>> cmc;
  std::vector<Ranks> ranks;
  OpenSetScores open_set;
  std::vector<double> genuine;
  std::vector<double> impostor;
  std::vector<ShownConfusion> confusions;
  std::vector<double> dir[std::size(kFpirs)];  // of each draw
  std::array<DecisionCounts, std::size(kAskedFpirs)> decided;
  Index people = 0;
  Index probes = 0;  // of one draw
  Index correct = 0;
  Index tried = 0;
  Index tied = 0;
  std::vector<double> enrol_ms;
  double identify_ms = 0.0;
  double person_bytes = 0.0;  // of the last run
  double probe_bytes = 0.0;
};

// Leaves the collector without its ranks and confusions.
ExperimentResult summarise(Collector& collector, const ExperimentOptions& options);

}  // namespace longshot
