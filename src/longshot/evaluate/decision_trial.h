// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "longshot/decide/background.h"
#include "longshot/decide/calibration.h"
#include "longshot/decide/crowd.h"

namespace longshot {

// The very decision that identify makes (decide/), tried on probes of whom the truth is known.

// What is decided about one probe.
struct TriedProbe {
  std::vector<Index> people;      // the nearest, nearest first; kShownCandidates at most
  std::vector<double> distances;  // of these
  std::vector<double> scores;     // likewise
  double log_ratio = 0.0;         // of the first
};

inline constexpr Index kShownCandidates = 10;

struct DecisionTrial {
  Calibration calibration;
  std::vector<TriedProbe> probes;

  bool known(Index probe, double fpir) const;
};

// `people` are searched for `probes` (N_L x n), which the camera took if there is one; `photos`
// (N_H x people) shows each of them once.
DecisionTrial try_decision(const Recognizer& recognizer, const Extender& extender,
                           const std::shared_ptr<const Searcher>& people, const Matrix& photos,
                           const Background& background, const MatrixRef& probes,
                           const std::optional<Camera>& camera = {});

// Decisions at one accepted rate of false positives, counted over runs.
struct DecisionCounts {
  Index strangers = 0;
  Index false_positives = 0;  // strangers taken for somebody
  Index enrolled = 0;         // probes of enrolled people
  Index found = 0;            // of these, known and rightly named

  double fpir() const;  // 0 without strangers
  double dir() const;   // 0 without enrolled people
};

// `truth` as in ranking.h.
void count_decisions(const DecisionTrial& trial, std::span<const Index> truth, double fpir,
                     DecisionCounts& counts);

}  // namespace longshot
