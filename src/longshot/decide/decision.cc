// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/decision.h"

#include <algorithm>

namespace longshot {
namespace {

// Distance to the nearest other person than candidate k, the background among them.
double nearest_other(std::span<const double> distances, std::size_t k, double background) {
  double nearest = background;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, distances.size()); ++i) {
    if (i != k) nearest = std::min(nearest, distances[i]);
  }
  return nearest;
}

}  // namespace

Decision decide(std::span<const double> distances, double background,
                const Calibration& calibration, double zero, std::size_t candidates) {
  Decision decision;
  if (distances.empty()) return decision;
  decision.log_ratio = log_ratio(distances[0], nearest_other(distances, 0, background), zero);
  for (std::size_t k = 0; k < std::min(candidates, distances.size()); ++k) {
    const double other = nearest_other(distances, k, background);
    decision.scores.push_back(calibration.score(log_ratio(distances[k], other, zero)));
  }
  return decision;
}

bool is_known(const Decision& decision, const Calibration& calibration, double fpir) {
  return decision.log_ratio > calibration.known_above(fpir);
}

}  // namespace longshot
