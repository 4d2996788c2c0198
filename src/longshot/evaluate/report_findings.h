// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/statistics.h"

namespace longshot {

// The best method against another one that saw the same probes.
struct MethodComparison {
  std::string method;
  double rank1 = 0.0;     // of that method, percent
  McNemar test;           // "first" is the best method
  double adjusted = 1.0;  // p after Holm (1979), as the best one is compared with all others
};

// Who is best at one size and noise level.
struct SizeFinding {
  Size size;
  double noise = 0.0;
  std::string best;    // by rank one; the first in the table where several are equal
  double rank1 = 0.0;  // percent
  std::vector<MethodComparison> others;  // best first
};

// Differences count as significant below this.
inline constexpr double kSignificance = 0.05;

// One finding for each size and noise level, in the order of the results. The probes that tell two
// methods apart are counted over the runs of an average draw: draws repeat the same probes, and
// counting each repetition would make any difference significant.
std::vector<SizeFinding> find_best_methods(const std::vector<ExperimentResult>& results);

// "At 7x6 joint is best, 91.2 % rank one, 2.0 points ahead of kernel; the difference is
// significant (p = 0.012)."
std::string to_sentence(const SizeFinding& finding);

}  // namespace longshot
