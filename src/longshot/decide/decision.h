// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/decide/calibration.h"
#include "longshot/decide/lowest_two.h"

namespace longshot {

// What is decided about one probe: how probable each candidate is, and whether the first of them is
// the person on it, or the probe is nobody's. Product and experiment decide here.
struct Decision {
  std::vector<double> scores;   // of the candidates: calibrated probabilities
  double log_ratio = -kNobody;  // of the nearest person (calibration.h); -infinity: there is none
};

// `distances` are those of the nearest people in ascending order, where there are two people at
// least two; `background` is the distance to the nearest background person, infinity
// where there is none; `zero` the distance of a perfect match. The first `candidates` get scores.
Decision decide(std::span<const double> distances, double background,
                const Calibration& calibration, double zero, std::size_t candidates);

// Known at that accepted rate of strangers who are taken for somebody.
bool is_known(const Decision& decision, const Calibration& calibration, double fpir);

}  // namespace longshot
