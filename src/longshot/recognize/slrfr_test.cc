// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/slrfr.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

SlrfrOptions untuned_slrfr(SubspaceKind kind = SubspaceKind::kDictionary) {
  SlrfrOptions options;
  options.kind = kind;
  options.tune = false;
  options.dictionary.atoms = 7;
  options.dictionary.sparsity = 3;
  return options;
}

Slrfr trained(const SlrfrOptions& options) {
  Slrfr recognizer(options);
  recognizer.learn(recognizer_problem().training);
  return recognizer;
}

TEST(SlrfrTest, DistancesAreSharesOfTheProbesEnergy) {
  const RecognizerProblem& problem = recognizer_problem();
  for (const SubspaceKind kind : {SubspaceKind::kDictionary, SubspaceKind::kSvd}) {
    const Matrix distances =
        all_distances(trained(untuned_slrfr(kind)), problem.people, problem.probes);
    EXPECT_GE(distances.minCoeff(), 0.0);
    EXPECT_LE(distances.maxCoeff(), 1.0);
  }
}

// Shekhar et al., eqs. (5) to (7), with the projector written out.
TEST(SlrfrTest, ResidualsAreThoseOfTheDictionarysProjector) {
  const RecognizerProblem& problem = recognizer_problem();
  const SlrfrOptions options = untuned_slrfr();
  const Slrfr recognizer = trained(options);
  const FeatureSpace space = recognizer.state().space("low");
  const Matrix probes = space.features(problem.probes);
  const Matrix distances = all_distances(recognizer, problem.people, problem.probes);
  for (std::size_t i = 0; i < problem.people.size(); ++i) {
    const Matrix samples = space.features(problem.people[i].relit_low);
    const Matrix d = ksvd(samples, options.dictionary).dictionary;
    const Matrix projector = d * (d.transpose() * d).inverse() * d.transpose();
    for (Index j = 0; j < probes.cols(); ++j) {
      const double residual = (probes.col(j) - projector * probes.col(j)).squaredNorm();
      EXPECT_NEAR(distances(static_cast<Index>(i), j), residual / probes.col(j).squaredNorm(),
                  1e-6);
    }
  }
}

TEST(SlrfrTest, AnAffineSubspaceGoesThroughThePersonsMean) {
  const RecognizerProblem& problem = recognizer_problem();
  const Slrfr recognizer = trained(untuned_slrfr(SubspaceKind::kAffine));
  const FeatureSpace space = recognizer.state().space("low");
  const Template person = recognizer.enrol(problem.people[0]);
  const Vector mean = space.features(problem.people[0].relit_low).rowwise().mean();
  EXPECT_TRUE(person.part("mean").isApprox(mean, 1e-12));
  const Matrix& basis = person.part("basis");
  EXPECT_LT((basis.transpose() * basis - Matrix::Identity(7, 7)).norm(), 1e-9);
}

TEST(SlrfrTest, TuningKeepsToItsCandidates) {
  Slrfr recognizer((SlrfrOptions()));
  recognizer.learn(recognizer_problem().training);
  EXPECT_FALSE(recognizer.settings().tune);
  EXPECT_GE(recognizer.settings().dictionary.atoms, 7);
  EXPECT_LE(recognizer.settings().dictionary.atoms, 15);
}

TEST(SlrfrTest, LearningAgainForgetsWhatTuningChose) {
  TrainingSet nobody;
  nobody.extender = recognizer_problem().extender;
  Slrfr again((SlrfrOptions()));
  again.learn(recognizer_problem().training);
  again.learn(nobody);
  EXPECT_TRUE(again.settings().tune);
  EXPECT_EQ(again.settings().dictionary.atoms, SlrfrOptions().dictionary.atoms);
}

TEST(SlrfrTest, AsManyAtomsAsDimensionsAreRefused) {
  TrainingSet nobody;
  nobody.extender = recognizer_problem().extender;
  SlrfrOptions options = untuned_slrfr();
  options.dictionary.atoms = 42;  // 7x6
  Slrfr recognizer(options);
  EXPECT_THROW(recognizer.learn(nobody), Error);
  options.dictionary.atoms = 41;
  Slrfr(options).learn(nobody);
}

}  // namespace
}  // namespace longshot
