// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/whitening.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/face_statistics.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

// Without all else, photos of a person differ by a unit variance in every direction.
TEST(WhitenedSpace, MakesPhotosOfOnePersonDifferAlikeInAllDirections) {
  const TrainingSet& training = recognizer_problem().training;
  WhiteningOptions options;
  options.normalisation = Normalisation::kUnitNorm;
  options.energy = 0.99;
  options.noise = 0.0;
  options.moved = 0.0;
  options.relit = 0.0;
  options.generic = 0.0;
  options.ridge = 1e-9;
  const FeatureSpace space = learn_whitened_space(training, options);
  const Matrix low = training.photos_low();
  Matrix both(low.rows(), 2 * low.cols());
  both << low, mirrored_columns(low, training.extender->geometry().low);
  std::vector<int> classes;
  for (const int side : {0, 100}) {
    for (const int subject : training.subjects) classes.push_back(subject + side);
  }
  const Matrix covariance = within_class_covariance(space.features(both), classes);
  EXPECT_LT((covariance - Matrix::Identity(covariance.rows(), covariance.cols())).norm(),
            1e-3 * static_cast<double>(covariance.rows()));
}

TEST(WhitenedSpace, ExpectingNoiseShrinksTheFeatures) {
  const TrainingSet& training = recognizer_problem().training;
  WhiteningOptions quiet;
  quiet.noise = 0.0;
  WhiteningOptions noisy;
  noisy.noise = 0.3;
  const Matrix low = training.photos_low();
  EXPECT_LT(learn_whitened_space(training, noisy).features(low).norm(),
            learn_whitened_space(training, quiet).features(low).norm());
}

// Of fewer people nothing must be kept, or they could be read back after their removal.
TEST(WhitenedSpace, KeepsNothingOfTooFewEnrolledPeople) {
  const TrainingSet& people = recognizer_problem().training;
  TrainingSet nobody;
  nobody.extender = people.extender;
  nobody.photos_high.resize(people.photos_high.rows(), 0);
  const Matrix generic = learn_whitened_space(nobody, {}).basis();
  const auto is_generic = [&](Index enrolled) {
    nobody.enrolled_high = people.photos_high.leftCols(enrolled);
    const Matrix basis = learn_whitened_space(nobody, {}).basis();
    return basis.cols() == generic.cols() && basis == generic;
  };
  EXPECT_TRUE(is_generic(kFewestPeople - 1));
  EXPECT_FALSE(is_generic(kFewestPeople));
}

TEST(WhitenedSpace, RefusesOptionsOutOfRange) {
  const TrainingSet& training = recognizer_problem().training;
  WhiteningOptions options;
  options.ridge = 0.0;
  EXPECT_THROW(learn_whitened_space(training, options), Error);
  options = {};
  options.noise = -1.0;
  EXPECT_THROW(learn_whitened_space(training, options), Error);
}

}  // namespace
}  // namespace longshot
