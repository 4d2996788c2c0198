// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "longshot/evaluate/decision_trial.h"
#include "longshot/evaluate/experiment.h"
#include "longshot/evaluate/experiment_draw.h"

namespace longshot {

// One method that has learnt and enrolled the people of one run, and the probes as it sees them.
struct DecisionRun {
  const Recognizer& recognizer;
  const View& view;
  const std::vector<Enrolled>& people;
  std::shared_ptr<const Searcher> searcher;  // of all people
  const std::vector<Index>& half;  // of them, for the open set; none where there are too few
  std::shared_ptr<const Searcher> half_searcher;  // of these; null where there are none
  const Run& run;
  const Matrix& probes;                 // N_L x n
  const std::optional<Camera>& camera;  // which took them
  const Background& background;
};

// Row of each probe's person among these people, or kNotEnrolled.
std::vector<Index> true_people(const Dataset& dataset, const Run& run,
                               const std::vector<Enrolled>& people);
// The same among those rows alone.
std::vector<Index> true_among(const std::vector<Index>& truth, const std::vector<Index>& rows);

// Tries the decision at each rate of kAskedFpirs. Strangers are the probes' people who are not
// enrolled; where there are none only half of the people are enrolled, so that the others are.
void add_decisions(const Dataset& dataset, const DecisionRun& run,
                   std::array<DecisionCounts, std::size(kAskedFpirs)>& counts);

// One line per probe, decided at `fpir` with all people enrolled, as identify does it. The method,
// size and noise level are left to the caller.
std::vector<ProbeScores> probe_scores(const Dataset& dataset, const DecisionRun& run, double fpir);

}  // namespace longshot
