// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment.h"

#include "longshot/core/error.h"
#include "longshot/evaluate/small_experiment_test.h"

namespace longshot {
namespace {

using ExperimentRun = SmallExperiment;

TEST_F(ExperimentRun, FindsMostPeopleAndIsTheSameEveryTime) {
  add_people(0, 12);
  const Experiment first = run();
  ASSERT_EQ(first.results.size(), 1U);
  const ExperimentResult& result = first.results[0];
  EXPECT_EQ(result.method, "longshot");
  EXPECT_EQ(result.gallery, 12);
  EXPECT_EQ(result.probes, 12);
  EXPECT_GT(result.rank1, 50.0);
  EXPECT_TRUE(result.decided.empty());
  EXPECT_TRUE(first.scores.empty());
  EXPECT_EQ(run().results[0].cmc, result.cmc);
}

TEST_F(ExperimentRun, CountsDecisionsWithHalfOfThePeopleEnrolled) {
  add_people(0, 12);
  options_.decisions = true;
  const ExperimentResult result = run().results[0];
  ASSERT_EQ(result.decided.size(), std::size(kAskedFpirs));
  const DecisionCounts& tenth = result.decided.at(0.1);
  EXPECT_EQ(tenth.strangers, 6);
  EXPECT_EQ(tenth.enrolled, 6);
  EXPECT_GE(tenth.found, result.decided.at(0.001).found);
  EXPECT_GE(tenth.false_positives, result.decided.at(0.001).false_positives);
}

TEST_F(ExperimentRun, CountsDecisionsWithEverybodyEnrolledWhereThereAreStrangers) {
  add_people(0, 8);
  add_probes(20, 25);
  options_.decisions = true;
  options_.learn_camera = true;  // thresholds go with a camera too
  const DecisionCounts counts = run().results[0].decided.at(0.01);
  EXPECT_EQ(counts.strangers, 5);
  EXPECT_EQ(counts.enrolled, 8);
}

TEST_F(ExperimentRun, KeepsOneLinePerProbe) {
  add_people(0, 4);
  add_probes(20, 22);
  options_.scores = true;
  options_.fpir = 1.0;
  options_.noise = {0.0, 10.0};
  const Experiment experiment = run();
  ASSERT_EQ(experiment.scores.size(), 12U);
  const ProbeScores& line = experiment.scores[0];
  EXPECT_EQ(line.person, name(0));
  EXPECT_TRUE(line.enrolled);
  EXPECT_TRUE(line.known);
  EXPECT_EQ(line.candidates.size(), 4U);
  EXPECT_LE(line.candidates[0].distance, line.candidates[1].distance);
  EXPECT_GE(line.candidates[0].score, line.candidates[1].score);
  EXPECT_FALSE(experiment.scores[4].enrolled);
  EXPECT_EQ(experiment.scores[6].noise, 10.0);
}

TEST_F(ExperimentRun, RefusesOptionsThatCannotBe) {
  add_people(0, 4);
  options_.fpir = 1.5;
  EXPECT_THROW(run(), Error);
  options_.fpir = 0.01;
  options_.know_camera = true;  // without simulated ones
  EXPECT_THROW(run(), Error);
  options_.know_camera = false;
  options_.sizes = {{100, 100}};
  EXPECT_THROW(run(), Error);
}

}  // namespace
}  // namespace longshot
