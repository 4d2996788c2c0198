// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/resize.h"

#include <cmath>

#include <gtest/gtest.h>

namespace longshot {
namespace {

// Worked out by hand. Output 0 of 4 -> 2 sits at 0.5; the cubic stretched by 2 is sampled at
// t = 0.25, 0.75, 1.25, 1.75 on each side: k = 0.8671875, 0.2265625, -0.0703125, -0.0234375, which
// sum to 1, so each side's weights are k / 2. Reflection adds inputs -1, -2, -3 to 0, 1, 2 and
// input 4 to 3.
TEST(Imresize, HalvingFourSamplesIsMatlabs) {
  const Matrix weights = imresize_weights(4, 2);
  const Eigen::RowVector4d expected(0.546875, 0.3984375, 0.1015625, -0.046875);
  EXPECT_LT((weights.row(0) - expected).norm(), 1e-15);
  EXPECT_LT((weights.row(1) - expected.reverse()).norm(), 1e-15);
  EXPECT_NEAR((weights * Eigen::Vector4d(1, 2, 3, 4))(0), 1.4609375, 1e-15);
}

// Enlarging does not stretch the cubic: output 0 of 2 -> 4 sits at -0.25, with k(0.25) +
// k(0.75) on input 0 (itself and its reflection) and k(1.25) + k(1.75) on input 1.
TEST(Imresize, DoublingTwoSamplesIsMatlabs) {
  const Matrix weights = imresize_weights(2, 4);
  EXPECT_NEAR(weights(0, 0), 1.09375, 1e-15);
  EXPECT_NEAR(weights(0, 1), -0.09375, 1e-15);
  // Output 1 sits at 0.25: k(0.25) + k(1.25) on input 0, k(0.75) + k(1.75) on input 1.
  EXPECT_NEAR(weights(1, 0), 0.796875, 1e-15);
  EXPECT_NEAR(weights(1, 1), 0.203125, 1e-15);
}

// A whole factor of 3: output 1 of 9 -> 3 sits on input 4; t = 0, 1/3, 2/3, 1, 4/3, 5/3.
// k = 1, 7/9, 8/27 + 1/18, 0, -2/27, -1/27; divided by the factor.
TEST(Imresize, ThirdOfNineSamplesIsMatlabs) {
  const Matrix weights = imresize_weights(9, 3);
  const double k1 = 1.5 / 27 - 2.5 / 9 + 1;
  const double k2 = 1.5 * 8 / 27 - 2.5 * 4 / 9 + 1;
  EXPECT_NEAR(weights(1, 4), 1.0 / 3, 1e-15);
  EXPECT_NEAR(weights(1, 5), k1 / 3, 1e-15);
  EXPECT_NEAR(weights(1, 6), k2 / 3, 1e-15);
  EXPECT_NEAR(weights(1, 7), 0.0, 1e-15);
  // Inputs 8 and 9, the latter reflected onto 8.
  EXPECT_NEAR(weights(1, 8), (-2.0 / 27 - 1.0 / 27) / 3, 1e-15);
}

TEST(Imresize, SupportOfFortyEightToSeven) {
  const Matrix weights = imresize_weights(48, 7);
  EXPECT_EQ((weights.row(3).array().abs() > 1e-12).count(), 28);
  EXPECT_NEAR(weights.row(3).minCoeff(), -0.0108, 0.0005);
}

TEST(Area, SharesPixelsByOverlap) {
  const Matrix weights = area_weights(5, 2);  // each output covers 2.5 inputs
  Matrix expected(2, 5);
  expected << 0.4, 0.4, 0.2, 0, 0, 0, 0, 0.2, 0.4, 0.4;
  EXPECT_LT((weights - expected).norm(), 1e-15);
}

TEST(Area, EnlargingByAWholeFactorRepeats) {
  const Matrix weights = area_weights(2, 4);
  Matrix expected(4, 2);
  expected << 1, 0, 1, 0, 0, 1, 0, 1;
  EXPECT_LT((weights - expected).norm(), 1e-15);
}

TEST(GaussBlur, IsSymmetricInsideAndIdentityWithoutSigma) {
  EXPECT_EQ(gauss_blur_weights(5, 0.0), Matrix::Identity(5, 5));
  const Matrix weights = gauss_blur_weights(21, 1.5);
  EXPECT_NEAR(weights(10, 9), weights(10, 11), 1e-15);
  EXPECT_NEAR(weights(10, 11) / weights(10, 10), std::exp(-0.5 / 2.25), 1e-12);
  EXPECT_EQ(weights(10, 15), 0.0);  // 5 > 3 sigma = 4.5
}

TEST(Linear, InterpolatesBetweenCentres) {
  const Matrix weights = linear_weights(4, 2);  // centres at 0.5 and 2.5
  Matrix expected(2, 4);
  expected << 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5;
  EXPECT_LT((weights - expected).norm(), 1e-15);
  EXPECT_EQ(linear_weights(1, 3), Matrix::Ones(3, 1));
}

TEST(Weights, RowsSumToOneForEveryPair) {
  for (const Index in : {1, 2, 5, 32, 40, 48, 55, 168, 192}) {
    for (const Index out : {1, 2, 6, 7, 10, 14, 48}) {
      for (const Matrix& weights : {imresize_weights(in, out), area_weights(in, out),
                                    linear_weights(in, out), gauss_blur_weights(in, 0.7)}) {
        const Vector sums = weights.rowwise().sum();
        EXPECT_LT((sums.array() - 1.0).abs().maxCoeff(), 1e-12) << in << " -> " << out;
      }
    }
  }
}

}  // namespace
}  // namespace longshot
