// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: the small people as a problem for recognisers.

#include <memory>
#include <utility>
#include <vector>

#include "longshot/camera/small_people_test.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct RecognizerProblem : SmallPeople {
  TrainingSet training;
};

inline RecognizerProblem make_recognizer_problem() {
  RecognizerProblem problem{make_small_people(), {}};
  problem.training = {
      problem.trained_high, problem.subjects, problem.gallery_like, problem.extender, {}};
  return problem;
}

// Made once: tests only read it.
inline const RecognizerProblem& recognizer_problem() {
  static const RecognizerProblem problem = make_recognizer_problem();
  return problem;
}

inline std::unique_ptr<Searcher> enrol_all(const Recognizer& recognizer,
                                           const std::vector<PersonImages>& people) {
  std::unique_ptr<Searcher> searcher = recognizer.make_searcher();
  for (const PersonImages& person : people) searcher->add(recognizer.enrol(person));
  return searcher;
}

inline Matrix all_distances(const Recognizer& recognizer, const std::vector<PersonImages>& people,
                            const Matrix& probes) {
  return enrol_all(recognizer, people)->distances(probes);
}

// Percent of the probes whose own person is strictly nearest.
inline double rank_one_percent(const Matrix& distances, const std::vector<Index>& truth) {
  Index correct = 0;
  for (Index j = 0; j < distances.cols(); ++j) {
    const double own = distances(truth[static_cast<std::size_t>(j)], j);
    if ((distances.col(j).array() <= own).count() == 1) ++correct;
  }
  return 100.0 * static_cast<double>(correct) / static_cast<double>(distances.cols());
}

}  // namespace longshot
