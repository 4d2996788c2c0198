// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/face_statistics.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

TEST(WithinClassCovariance, IsThatOfTheDeviationsFromEachMean) {
  Matrix values(1, 5);
  values << 1.0, 3.0, 10.0, 10.0, 13.0;
  // Deviations -1, 1 and -1, -1, 2, with three degrees of freedom.
  EXPECT_NEAR(within_class_covariance(values, {0, 0, 1, 1, 1})(0, 0), 8.0 / 3.0, 1e-12);
  EXPECT_THROW(within_class_covariance(values, {0, 1}), Error);
}

class NoiseCovariance : public testing::TestWithParam<Normalisation> {};

TEST_P(NoiseCovariance, AgreesWithNoiseThatIsReallyAdded) {
  constexpr Index kDraws = 40000;
  constexpr double kLevel = 0.01;
  Vector image(6);
  image << 0.5, 0.9, 0.3, 0.7, 0.4, 0.6;
  Random random(5);
  Matrix noisy = image.replicate(1, kDraws);
  for (double& value : noisy.reshaped()) value += kLevel * image.mean() * random.normal();
  const Matrix moved =
      normalise_columns(noisy, GetParam()).colwise() - Vector(normalise_columns(image, GetParam()));
  const Matrix measured = moved * moved.transpose() / static_cast<double>(kDraws);
  const Matrix predicted = noise_covariance(image, GetParam(), kLevel);
  EXPECT_LT((measured - predicted).norm(), 0.03 * predicted.norm());
}

INSTANTIATE_TEST_SUITE_P(All, NoiseCovariance,
                         testing::Values(Normalisation::kUnitNorm, Normalisation::kZeroMeanUnitNorm,
                                         Normalisation::kRootUnitNorm),
                         [](const auto& test) {
                           return test.param == Normalisation::kUnitNorm       ? "Unit"
                                  : test.param == Normalisation::kRootUnitNorm ? "Root"
                                                                               : "ZeroMean";
                         });

TEST(NoiseCovariance, OfBlackImagesIsZero) {
  EXPECT_TRUE(noise_covariance(Matrix::Zero(4, 3), Normalisation::kUnitNorm, 0.1).isZero(0.0));
}

TEST(RegistrationCovariance, GrowsWithTheErrorAndIsZeroForAPlainWall) {
  const TrainingSet& training = recognizer_problem().training;
  const auto trace = [&](double deviation) {
    return registration_covariance(training.photos_high, *training.extender,
                                   Normalisation::kUnitNorm, deviation)
        .trace();
  };
  EXPECT_GT(trace(0.02), 2.0 * trace(0.01));
  const Matrix wall = Matrix::Constant(training.photos_high.rows(), 1, 0.5);
  EXPECT_NEAR(
      registration_covariance(wall, *training.extender, Normalisation::kUnitNorm, 0.02).trace(),
      0.0, 1e-20);
}

TEST(RegistrationCovariance, WarpedFacesMoveNearPixelsTogetherAndFarOnesApart) {
  const TrainingSet& training = recognizer_problem().training;
  FaceGeometry geometry = training.extender->geometry();
  const auto covariance = [&] {
    return registration_covariance(training.photos_high,
                                   Extender(recognizer_problem().relighter, geometry),
                                   Normalisation::kUnitNorm, 0.0);
  };
  geometry.error.shift = 0.02;
  const Matrix shifted = covariance();
  geometry.error.warp = 0.02;
  const Matrix warp = covariance() - shifted;
  // Of itself a pixel moves as much as by a shift.
  EXPECT_LT((warp.diagonal() - shifted.diagonal()).norm(), 1e-9 * shifted.diagonal().norm());
  const Index last = warp.rows() - 1;
  EXPECT_LT(std::abs(warp(0, last)), 0.01 * std::abs(shifted(0, last)) + 1e-12);
  EXPECT_GT(symmetric_eigenvalues(warp).minCoeff(), -1e-12);
}

}  // namespace
}  // namespace longshot
