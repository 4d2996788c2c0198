// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/decision_trial.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "longshot/decide/crowd_calibration.h"
#include "longshot/decide/decision.h"
#include "longshot/decide/lowest_two.h"
#include "longshot/evaluate/ranking.h"

namespace longshot {
namespace {

double rate(Index part, Index whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

bool DecisionTrial::known(Index probe, double fpir) const {
  return probes[static_cast<std::size_t>(probe)].log_ratio > calibration.known_above(fpir);
}

double DecisionCounts::fpir() const {
  return rate(false_positives, strangers);
}

double DecisionCounts::dir() const {
  return rate(found, enrolled);
}

DecisionTrial try_decision(const Recognizer& recognizer, const Extender& extender,
                           const std::shared_ptr<const Searcher>& people, const Matrix& photos,
                           const Background& background, const MatrixRef& probes,
                           const std::optional<Camera>& camera) {
  DecisionTrial trial;
  const Days days = camera ? camera->days : Days::kUnknown;
  const std::shared_ptr<const Searcher> uncentred = centred(people, camera_of_days(days));
  trial.calibration =
      calibrate_crowd(SearcherCrowd(*uncentred, photos), recognizer, extender, background, days);
  const std::shared_ptr<const Searcher> searcher = centred(people, camera);
  const auto prepared = searcher->prepare(probes);
  Matrix beside(0, probes.cols());
  if (recognizer.has_independent_distances()) {
    beside = centred(enrol_photos(recognizer, extender, background.enrolled), camera)
                 ->prepared_distances(*prepared);
  }
  const Matches nearest = searcher->search_prepared(*prepared, kShownCandidates);
  for (Index j = 0; j < probes.cols(); ++j) {
    TriedProbe tried;
    for (Index k = 0; k < nearest.people.rows(); ++k) {
      tried.people.push_back(nearest.people(k, j));
      tried.distances.push_back(nearest.distances(k, j));
    }
    const Decision decision =
        decide(tried.distances, lowest_two(beside.col(j)).first, trial.calibration,
               trial.calibration.zero, tried.distances.size());
    tried.scores = decision.scores;
    tried.log_ratio = decision.log_ratio;
    trial.probes.push_back(std::move(tried));
  }
  return trial;
}

void count_decisions(const DecisionTrial& trial, std::span<const Index> truth, double fpir,
                     DecisionCounts& counts) {
  assert(truth.size() == trial.probes.size());
  for (std::size_t j = 0; j < truth.size(); ++j) {
    const bool known = trial.known(static_cast<Index>(j), fpir);
    if (truth[j] == kNotEnrolled) {
      ++counts.strangers;
      counts.false_positives += known ? 1 : 0;
    } else {
      ++counts.enrolled;
      counts.found += known && trial.probes[j].people.front() == truth[j] ? 1 : 0;
    }
  }
}

}  // namespace longshot
