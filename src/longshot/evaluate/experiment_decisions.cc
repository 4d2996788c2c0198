// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_decisions.h"

#include <algorithm>
#include <map>
#include <string>

#include "longshot/dataset/shown_path.h"

namespace longshot {
namespace {

const Sample& sample_of(const Dataset& dataset, Index i) {
  return dataset.samples[static_cast<std::size_t>(i)];
}

DecisionTrial try_all(const DecisionRun& run) {
  return try_decision(run.recognizer, *run.view.training.extender, run.searcher,
                      first_photos_of(run.people), run.background, run.probes, run.camera);
}

}  // namespace

std::vector<Index> true_people(const Dataset& dataset, const Run& run,
                               const std::vector<Enrolled>& people) {
  std::map<std::string, Index> rows;
  for (std::size_t i = 0; i < people.size(); ++i) rows[people[i].subject] = static_cast<Index>(i);
  std::vector<Index> truth;
  for (const Index probe : run.probes) {
    const auto found = rows.find(sample_of(dataset, probe).subject);
    truth.push_back(found == rows.end() ? kNotEnrolled : found->second);
  }
  return truth;
}

std::vector<Index> true_among(const std::vector<Index>& truth, const std::vector<Index>& rows) {
  std::vector<Index> among;
  for (const Index person : truth) {
    const auto kept = std::find(rows.begin(), rows.end(), person);
    among.push_back(kept == rows.end() ? kNotEnrolled : kept - rows.begin());
  }
  return among;
}

void add_decisions(const Dataset& dataset, const DecisionRun& run,
                   std::array<DecisionCounts, std::size(kAskedFpirs)>& counts) {
  std::vector<Index> truth = true_people(dataset, run.run, run.people);
  DecisionTrial trial;
  if (std::find(truth.begin(), truth.end(), kNotEnrolled) != truth.end()) {
    trial = try_all(run);
  } else if (run.half_searcher) {
    truth = true_among(truth, run.half);
    const Matrix photos = first_photos_of(run.people)(Eigen::all, run.half);
    trial = try_decision(run.recognizer, *run.view.training.extender, run.half_searcher, photos,
                         run.background, run.probes, run.camera);
  } else {
    return;
  }
  for (std::size_t f = 0; f < counts.size(); ++f) {
    count_decisions(trial, truth, kAskedFpirs[f], counts[f]);
  }
}

std::vector<ProbeScores> probe_scores(const Dataset& dataset, const DecisionRun& run, double fpir) {
  const std::vector<Index> truth = true_people(dataset, run.run, run.people);
  const DecisionTrial trial = try_all(run);
  std::vector<ProbeScores> lines;
  for (std::size_t j = 0; j < truth.size(); ++j) {
    const Sample& sample = sample_of(dataset, run.run.probes[j]);
    ProbeScores line;
    line.run = run.run.label;
    line.probe = shown_path(sample);
    line.person = sample.subject;
    line.enrolled = truth[j] != kNotEnrolled;
    line.known = trial.known(static_cast<Index>(j), fpir);
    const TriedProbe& tried = trial.probes[j];
    for (std::size_t k = 0; k < tried.people.size(); ++k) {
      line.candidates.push_back({run.people[static_cast<std::size_t>(tried.people[k])].subject,
                                 tried.distances[k], tried.scores[k]});
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace longshot
