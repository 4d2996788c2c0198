// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/decision_trial.h"

#include <gtest/gtest.h>

#include "longshot/evaluate/ranking.h"
#include "longshot/recognize/method.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

DecisionTrial some_trial() {
  const Vector strange = Vector::LinSpaced(101, 0.0, 1.0);
  DecisionTrial trial;
  trial.calibration =
      calibrate({strange.array() + 1.0, strange, strange, 1.0, 0.1, 1.0, {}}, 0.0, 5);
  trial.probes = {{{3, 1}, {1.0, 2.0}, {0.9, 0.1}, 5.0},
                  {{2, 1}, {1.0, 1.1}, {0.6, 0.4}, 0.05},
                  {{0, 1}, {1.0, 2.0}, {0.9, 0.1}, 5.0}};
  return trial;
}

TEST(DecisionTrial, CountsWhoIsFoundAndWhoIsTakenForSomebody) {
  const std::vector<Index> truth = {3, 2, kNotEnrolled};
  DecisionCounts counts;
  count_decisions(some_trial(), truth, 0.01, counts);
  EXPECT_EQ(counts.enrolled, 2);
  EXPECT_EQ(counts.found, 1);
  EXPECT_EQ(counts.strangers, 1);
  EXPECT_EQ(counts.false_positives, 1);
  EXPECT_DOUBLE_EQ(counts.fpir(), 1.0);
  EXPECT_DOUBLE_EQ(counts.dir(), 0.5);
  DecisionCounts wrong;
  count_decisions(some_trial(), std::vector<Index>{1, 2, 1}, 0.01, wrong);
  EXPECT_EQ(wrong.found, 0);
  EXPECT_EQ(wrong.fpir(), 0.0);
}

TEST(DecisionTrial, CandidatesAreTheNearestPeople) {
  const RecognizerProblem& problem = recognizer_problem();
  const auto recognizer = make_recognizer("pca", {Profile::kPaper, false, {}, {}});
  recognizer->learn(problem.training);
  const std::shared_ptr<const Searcher> searcher = enrol_all(*recognizer, problem.people);
  Matrix photos(problem.geometry().high.pixels(), 6);
  for (Index i = 0; i < 6; ++i) {
    photos.col(i) = problem.people[static_cast<std::size_t>(i)].photos_high.col(0);
  }
  Background background{
      problem.trained_high.leftCols(20), problem.trained_high.rightCols(20), {}, false};
  for (Index i = 0; i < 20; ++i) background.owners.push_back(i);
  const DecisionTrial trial =
      try_decision(*recognizer, *problem.extender, searcher, photos, background, problem.probes);
  const Matrix distances = searcher->distances(problem.probes);
  ASSERT_EQ(trial.probes.size(), 18U);
  for (Index j = 0; j < 18; ++j) {
    const TriedProbe& tried = trial.probes[static_cast<std::size_t>(j)];
    ASSERT_EQ(tried.people.size(), 6U);
    EXPECT_NEAR(tried.distances[0], distances.col(j).minCoeff(), 1e-6);
    EXPECT_GE(tried.scores[0], tried.scores[5]);
    EXPECT_EQ(trial.known(j, 0.01), tried.log_ratio > trial.calibration.known_above(0.01));
  }
}

}  // namespace
}  // namespace longshot
