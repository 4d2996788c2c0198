// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/feature_space.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

Matrix images(Index count) {
  return (Matrix::Random(42, count).array() + 1.5).matrix();
}

TEST(FeatureSpace, WithoutTrainingTheNormalisedPixelsAreTheFeatures) {
  const FeatureSpace space = FeatureSpace::learn(Matrix(42, 0), {});
  const Matrix probes = images(3);
  EXPECT_EQ(space.features(probes), normalise_columns(probes, Normalisation::kUnitNorm));
}

TEST(FeatureSpace, TrainingGivesAnIsometryOfCentredImages) {
  const Matrix training = images(100);
  const FeatureSpace space = FeatureSpace::learn(training, {Normalisation::kUnitNorm, {0, 1.0}});
  const Matrix features = space.features(training);
  const Matrix normalised = normalise_columns(training, Normalisation::kUnitNorm);
  EXPECT_NEAR((features.col(1) - features.col(7)).norm(),
              (normalised.col(1) - normalised.col(7)).norm(), 1e-12);
  EXPECT_LT(features.rowwise().mean().norm(), 1e-12);
}

TEST(FeatureSpace, WithoutCentringNothingOfTheMeanIsLost) {
  const Matrix training = images(20);
  const FeatureSpace space =
      FeatureSpace::learn(training, {Normalisation::kUnitNorm, {0, 1.0}, false});
  EXPECT_TRUE(space.mean().isZero(0.0));
  const Matrix features = space.features(training);
  for (Index j = 0; j < features.cols(); ++j) EXPECT_NEAR(features.col(j).norm(), 1.0, 1e-12);
  EXPECT_LT((space.basis().transpose() * space.basis() -
             Matrix::Identity(space.dimensions(), space.dimensions()))
                .norm(),
            1e-9);
}

TEST(FeatureSpace, BlackImageHasNoFeature) {
  const FeatureSpace space = FeatureSpace::learn(images(10), {});
  EXPECT_TRUE(space.features(Matrix::Zero(42, 2)).isZero(0.0));
}

TEST(FeatureSpace, BadInput) {
  const FeatureSpace space = FeatureSpace::learn(images(10), {});
  EXPECT_THROW(space.features(Matrix::Ones(41, 1)), Error);
  EXPECT_THROW(FeatureSpace::learn(Matrix(0, 5), {}), Error);
  EXPECT_THROW(FeatureSpace::learn(Matrix::Ones(42, 5), {}), Error);
  EXPECT_THROW(FeatureSpace(Normalisation::kNone, Vector::Zero(3), Matrix::Zero(4, 2)), Error);
}

}  // namespace
}  // namespace longshot
