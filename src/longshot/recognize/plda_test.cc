// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/plda.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

constexpr double kRounding = 1e-5;  // of people in single precision

// Of y1, ..., yn that share one h, by the density of all of them together.
double joint_log_density(double between, const Vector& images) {
  const Index n = images.size();
  const Matrix covariance = Matrix::Identity(n, n) + Matrix::Constant(n, n, between);
  return -0.5 * (images.dot(covariance.inverse() * images) + std::log(covariance.determinant()) +
                 static_cast<double>(n) * std::log(2.0 * std::numbers::pi));
}

double ratio(const Vector& between, const MatrixRef& images, const MatrixRef& probe) {
  PldaPeople people(between.size());
  people.add(plda_person(between, images));
  return people.log_ratios(probe)(0, 0);
}

// One coordinate, one image: p(y | x) is N(b x / (1 + b), 1 + b / (1 + b)).
TEST(Plda, ClosedFormOfOneCoordinate) {
  const Vector between = Vector::Constant(1, 3.0);
  const Matrix x = Matrix::Constant(1, 1, 2.0);
  const Matrix y = Matrix::Constant(1, 1, 1.0);
  const double own = -0.5 * (std::pow(1.0 - 1.5, 2) / 1.75 + std::log(1.75));
  const double anybody = -0.5 * (1.0 / 4.0 + std::log(4.0));
  EXPECT_NEAR(ratio(between, x, y), own - anybody, kRounding);
}

TEST(Plda, EqualsTheDensitiesOfAllImagesTogether) {
  const Vector between = Eigen::Vector3d(0.0, 0.4, 7.0);
  const Matrix values = 2.0 * gaussian(3, 5, 1);
  for (Index n = 1; n <= 4; ++n) {
    const Matrix images = values.leftCols(n);
    const Matrix probe = values.rightCols(1);
    double expected = 0.0;
    for (Index i = 0; i < 3; ++i) {
      Vector all(n + 1);
      all << images.row(i).transpose(), probe(i, 0);
      expected += joint_log_density(between(i), all) -
                  joint_log_density(between(i), images.row(i).transpose()) -
                  joint_log_density(between(i), probe.row(i).transpose());
    }
    EXPECT_NEAR(ratio(between, images, probe), expected, kRounding) << n;
  }
}

TEST(Plda, OfTwoImagesEitherMayBeTheProbe) {
  const Vector between = gaussian(6, 1, 2).cwiseAbs();
  const Matrix values = gaussian(6, 2, 3);
  EXPECT_NEAR(ratio(between, values.col(0), values.col(1)),
              ratio(between, values.col(1), values.col(0)), kRounding);
}

TEST(Plda, WithoutDifferencesBetweenPeopleThereIsNothingToSay) {
  const Matrix values = gaussian(4, 3, 4);
  EXPECT_NEAR(ratio(Vector::Zero(4), values.leftCols(2), values.col(2)), 0.0, kRounding);
}

TEST(Plda, MoreImagesSayMore) {
  const Vector between = Vector::Constant(4, 2.0);
  const Matrix image = Matrix::Constant(4, 1, 1.5);
  EXPECT_GT(ratio(between, image.replicate(1, 3), image), ratio(between, image, image));
  EXPECT_LT(ratio(between, image.replicate(1, 3), -image), ratio(between, image, -image));
}

TEST(Plda, PeopleAndProbesAreTheRowsAndColumns) {
  const Vector between = gaussian(5, 1, 5).cwiseAbs();
  const Matrix gallery = gaussian(5, 3, 6);
  const Matrix probes = gaussian(5, 2, 7);
  PldaPeople people(5);
  for (Index i = 0; i < 3; ++i) people.add(plda_person(between, gallery.col(i)));
  const Matrix ratios = people.log_ratios(probes);
  ASSERT_EQ(ratios.rows(), 3);
  ASSERT_EQ(ratios.cols(), 2);
  EXPECT_NEAR(ratios(2, 1), ratio(between, gallery.col(2), probes.col(1)), kRounding);
  EXPECT_EQ(people.log_ratios(probes, 1, 3), ratios.bottomRows(2));
}

TEST(Plda, AProbeWithoutContentSaysNothing) {
  EXPECT_EQ(ratio(Vector::Ones(3), Matrix::Ones(3, 1), Matrix::Zero(3, 1)), 0.0);
}

// People of one, two and three images, in single precision and with weight.
TEST(Plda, SinglePrecisionIsNear) {
  constexpr Index kPeople = 7;
  const Vector between = gaussian(5, 1, 5).cwiseAbs();
  PldaPeople people(5);
  for (Index i = 0; i < kPeople; ++i) {
    people.add(plda_person(between, gaussian(5, 1 + i % 3, static_cast<std::uint64_t>(i))));
  }
  Matrix probes = gaussian(5, 30, 7);
  probes.col(2).setZero();
  const Matrix expected = -2.0 * people.log_ratios(probes, 1, kPeople);
  const PldaProbes laid_out(people, probes, -2.0);
  for (Index tile = 0; tile < 2; ++tile) {
    std::vector<float> sums((kPeople - 1) * kTileProbes, 1.0F);
    people.add_tile(1, kPeople, laid_out, tile, sums.data());
    for (Index j = tile * kTileProbes; j < std::min<Index>((tile + 1) * kTileProbes, 30); ++j) {
      for (Index i = 0; i < kPeople - 1; ++i) {
        EXPECT_NEAR(sums[static_cast<std::size_t>(i * kTileProbes + j % kTileProbes)],
                    1.0 + expected(i, j), 1e-4);
      }
    }
  }
  const PldaProbes few(people, probes.leftCols(3), -2.0);
  for (Index j = 0; j < 3; ++j) {
    std::vector<float> sums(kPeople - 1, 1.0F);
    people.add_probe(1, kPeople, few, j, sums.data());
    for (Index i = 0; i < kPeople - 1; ++i) {
      EXPECT_NEAR(sums[static_cast<std::size_t>(i)], 1.0 + expected(i, j), 1e-4);
    }
  }
}

TEST(Plda, WhatDependsOnTheNumberOfImagesAloneIsKeptOnce) {
  const Vector between = gaussian(5, 1, 5).cwiseAbs();
  PldaPeople people(5);
  for (Index i = 0; i < 6; ++i) people.add(plda_person(between, gaussian(5, 1 + i % 2, 6)));
  EXPECT_EQ(people.bytes(), 6 * 6 * static_cast<Index>(sizeof(float)));
}

TEST(Plda, BadInput) {
  EXPECT_THROW(plda_person(Vector::Ones(2), Matrix(2, 0)), Error);
  EXPECT_THROW(plda_person(Vector::Ones(2), Matrix::Ones(3, 1)), Error);
  PldaPeople people(2);
  EXPECT_THROW(people.add(Matrix::Ones(4, 1)), Error);
  people.add(Matrix::Ones(5, 1));
  EXPECT_THROW(people.log_ratios(Matrix::Ones(3, 1)), Error);
}

}  // namespace
}  // namespace longshot
