// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/longshot.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

LongshotOptions plain() {
  LongshotOptions options;
  options.tune = false;
  return options;
}

double rank_one(const LongshotOptions& options, const TrainingSet& training, const Matrix& probes) {
  Longshot longshot(options);
  longshot.learn(training);
  const RecognizerProblem& problem = recognizer_problem();
  return rank_one_percent(all_distances(longshot, problem.people, probes), problem.truth);
}

TEST(Longshot, RecognisesPeopleUnderOtherLights) {
  EXPECT_GE(rank_one(plain(), recognizer_problem().training, recognizer_problem().probes), 80.0);
}

TEST(Longshot, WorksWithoutTrainingPeople) {
  TrainingSet nobody;
  nobody.extender = recognizer_problem().extender;
  nobody.photos_high.resize(nobody.extender->geometry().high.pixels(), 0);
  EXPECT_GE(rank_one(plain(), nobody, recognizer_problem().probes), 60.0);
}

TEST(Longshot, TheBankHelpsWithNoise) {
  Matrix noisy = recognizer_problem().probes;
  Random random(9);
  const double sigma = 0.1 * noisy.mean();
  for (double& value : noisy.reshaped()) value += sigma * random.normal();
  noisy = noisy.cwiseMax(0.0);
  LongshotOptions blind = plain();
  blind.choice = DegradationChoice::kNone;
  const TrainingSet& training = recognizer_problem().training;
  EXPECT_GE(rank_one(plain(), training, noisy), rank_one(blind, training, noisy));
}

TEST(Longshot, DistancesAreNeverNegativeAndABlackProbeIsEquallyFarFromAll) {
  Longshot longshot(plain());
  longshot.learn(recognizer_problem().training);
  Matrix probes = recognizer_problem().probes;
  probes.col(0).setZero();
  const Matrix distances = all_distances(longshot, recognizer_problem().people, probes);
  EXPECT_GE(distances.minCoeff(), 0.0);
  EXPECT_EQ(distances.col(0).minCoeff(), distances.col(0).maxCoeff());
}

// Models of versions that knew pixels alone.
TEST(Longshot, AModelOfPixelsAloneStillOpens) {
  LongshotOptions pixels = plain();
  pixels.life = false;
  Longshot before(pixels);
  before.learn(recognizer_problem().training);
  Longshot now(plain());
  now.restore(before.state());
  EXPECT_EQ(now.name(), "longshot");
  const RecognizerProblem& problem = recognizer_problem();
  EXPECT_EQ(all_distances(now, problem.people, problem.probes),
            all_distances(before, problem.people, problem.probes));
}

// What network and gradients weigh depends on the days, and the sums of evidence with it.
TEST(Longshot, NetworkAndGradientsWeighMoreOnAnotherDay) {
  Longshot longshot(plain());
  const RecognizerProblem& problem = recognizer_problem();
  longshot.learn(problem.training);
  EXPECT_TRUE(longshot.tells_days_apart());
  std::shared_ptr<Searcher> people = longshot.make_searcher();
  for (const PersonImages& person : problem.people) people->add(longshot.enrol(person));
  const auto evidence = [&](Days days) -> Matrix {
    return centred(people, camera_of_days(days))->distances(problem.probes).array().log();
  };
  const Matrix pixels = evidence(Days::kAsked);
  const Matrix usual = evidence(Days::kUnknown) - pixels;
  const Matrix same = evidence(Days::kSame) - pixels;
  const Matrix other = evidence(Days::kOther) - pixels;
  EXPECT_GT(usual.norm(), 1e-3 * pixels.norm());
  EXPECT_LT((same - 0.4 * usual).norm(), 1e-6 * usual.norm());
  EXPECT_LT((other - 2.5 * usual).norm(), 1e-6 * usual.norm());

  LongshotOptions alone = plain();
  alone.life = false;
  Longshot of_pixels(alone);
  of_pixels.learn(problem.training);
  EXPECT_FALSE(of_pixels.tells_days_apart());
  EXPECT_LT((evidence(Days::kAsked).array().exp().matrix() -
             all_distances(of_pixels, problem.people, problem.probes))
                .norm(),
            1e-9 * pixels.array().exp().matrix().norm());
}

TEST(Longshot, GradientsChangeWhatPixelsSay) {
  LongshotOptions pixels = plain();
  pixels.life_weight = 0.0;
  Longshot without(pixels);
  Longshot with(plain());
  const RecognizerProblem& problem = recognizer_problem();
  without.learn(problem.training);
  with.learn(problem.training);
  EXPECT_NE(all_distances(with, problem.people, problem.probes),
            all_distances(without, problem.people, problem.probes));
}

TEST(Longshot, RefusesATemplateOfAnotherModel) {
  Longshot longshot(plain());
  longshot.learn(recognizer_problem().training);
  EXPECT_THROW(longshot.make_searcher()->add({{{"mean0", Matrix::Zero(3, 1)}}}), Error);
}

}  // namespace
}  // namespace longshot
