// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/clpm.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/baseline/rendered_people_test.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

TEST(NearestNeighbours, AreThoseOfBruteForce) {
  const Matrix samples = gaussian(3, 300, 1);
  const Neighbours neighbours = nearest_neighbours(samples, 4);
  for (Index j = 0; j < 300; ++j) {
    Vector squared = (samples.colwise() - samples.col(j)).colwise().squaredNorm();
    squared(j) = 1e9;
    for (Index r = 0; r < 4; ++r) {
      Index nearest = 0;
      EXPECT_NEAR(squared.minCoeff(&nearest), neighbours.squared_distances(r, j), 1e-12);
      EXPECT_EQ(nearest, neighbours.index(r, j));
      squared(nearest) = 1e9;
    }
  }
}

TEST(NearestNeighbours, ASampleIsNotItsOwn) {
  const Neighbours neighbours = nearest_neighbours(Matrix::Zero(2, 4), 9);
  ASSERT_EQ(neighbours.index.rows(), 3);
  for (Index j = 0; j < 4; ++j) EXPECT_TRUE((neighbours.index.col(j).array() != j).all());
  EXPECT_EQ(neighbours.index(0, 3), 0);
  EXPECT_THROW(nearest_neighbours(Matrix(2, 0), 1), Error);
  EXPECT_THROW(nearest_neighbours(Matrix::Zero(2, 4), -1), Error);
}

TEST(LocalityWeights, AreMutualAndFallWithDistance) {
  Matrix samples(1, 4);
  samples << 0, 1, 3, 10;  // 10's nearest is 3, whose nearest is 1, whose nearest is 0
  const Neighbours neighbours = nearest_neighbours(samples, 2);
  const Matrix one(locality_weights(neighbours, 1));
  const double mean = (1.0 + 1.0 + 4.0 + 49.0) / 4.0;
  Matrix expected = Matrix::Identity(4, 4);
  expected(0, 1) = expected(1, 0) = std::exp(-1.0 / mean);
  EXPECT_LT((one - expected).norm(), 1e-14);
  EXPECT_EQ(Matrix(locality_weights(neighbours, 0)), Matrix(Matrix::Identity(4, 4)));
  const Matrix two(locality_weights(neighbours, 2));
  EXPECT_LT((two - two.transpose()).norm(), 1e-14);
  EXPECT_GT(two(1, 2), two(0, 2));
  EXPECT_GT(two(0, 2), 0.0);
  EXPECT_EQ(two(2, 3), 0.0);
}

struct ClpmProblem {
  Matrix low;
  Matrix high;
  Eigen::SparseMatrix<double> weights;
};

ClpmProblem clpm_problem() {
  ClpmProblem problem;
  problem.high = gaussian(7, 60, 2);
  problem.high.colwise() -= Vector(problem.high.rowwise().mean());
  problem.low = gaussian(4, 7, 3) * problem.high + 0.1 * gaussian(4, 60, 4);
  problem.low.colwise() -= Vector(problem.low.rowwise().mean());
  problem.weights = locality_weights(nearest_neighbours(problem.high, 5), 5);
  return problem;
}

double brute_force_cost(const ClpmProblem& problem, const Matrix& low_map, const Matrix& high_map) {
  double cost = 0.0;
  for (Index i = 0; i < problem.low.cols(); ++i) {
    for (Index j = 0; j < problem.high.cols(); ++j) {
      cost += problem.weights.coeff(i, j) * (low_map.transpose() * problem.low.col(i) -
                                             high_map.transpose() * problem.high.col(j))
                                                .squaredNorm();
    }
  }
  return cost;
}

TEST(CoupledMaps, CostsAreTheObjectiveOfEachDirection) {
  const ClpmProblem problem = clpm_problem();
  const CoupledMaps maps = coupled_maps(problem.low, problem.high, problem.weights, 6, 1e-3);
  ASSERT_EQ(maps.low.cols(), 6);
  for (Index k = 0; k < 6; ++k) {
    EXPECT_NEAR(brute_force_cost(problem, maps.low.col(k), maps.high.col(k)), maps.costs(k), 1e-10);
    EXPECT_GE(maps.costs(k), maps.costs(std::max<Index>(0, k - 1)));
  }
}

TEST(CoupledMaps, DirectionsAreOrthonormalInF) {
  const ClpmProblem problem = clpm_problem();
  const double tau = 0.1;
  const CoupledMaps maps = coupled_maps(problem.low, problem.high, problem.weights, 11, tau);
  const double unit =
      (problem.low.squaredNorm() + problem.high.squaredNorm()) / static_cast<double>(4 + 7);
  const Matrix mapped_low = maps.low.transpose() * problem.low;
  const Matrix mapped_high = maps.high.transpose() * problem.high;
  const Matrix f =
      mapped_low * mapped_low.transpose() + mapped_high * mapped_high.transpose() +
      tau * unit * (maps.low.transpose() * maps.low + maps.high.transpose() * maps.high);
  EXPECT_LT((f - Matrix::Identity(11, 11)).norm(), 1e-10);
}

TEST(CoupledMaps, NoOtherFeasibleMapCostsLess) {
  const ClpmProblem problem = clpm_problem();
  const CoupledMaps all = coupled_maps(problem.low, problem.high, problem.weights, 11, 0.1);
  const double best = all.costs.head(3).sum();
  for (std::uint64_t seed = 10; seed < 20; ++seed) {
    // Orthonormal combinations of an F-orthonormal basis are all the feasible maps.
    const Matrix turn =
        gaussian(11, 3, seed).householderQr().householderQ() * Matrix::Identity(11, 3);
    EXPECT_GE(brute_force_cost(problem, all.low * turn, all.high * turn), best - 1e-10);
  }
}

TEST(CoupledMaps, BringIdenticalPairsTogether) {
  ClpmProblem problem = clpm_problem();
  problem.low = problem.high;
  const Eigen::SparseMatrix<double> identity =
      locality_weights(nearest_neighbours(problem.high, 0), 0);
  const CoupledMaps maps = coupled_maps(problem.low, problem.high, identity, 7, 1e-6);
  EXPECT_LT(maps.costs.cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT((maps.low - maps.high).norm(), 1e-6 * maps.low.norm());
}

TEST(CoupledMaps, BadInputIsRefused) {
  const ClpmProblem problem = clpm_problem();
  EXPECT_THROW(coupled_maps(problem.low.leftCols(9), problem.high, problem.weights, 3, 0.1), Error);
  EXPECT_THROW(coupled_maps(problem.low, problem.high, problem.weights, 0, 0.1), Error);
  EXPECT_THROW(coupled_maps(problem.low, problem.high, problem.weights, 3, 0.0), Error);
  EXPECT_THROW(coupled_maps(0.0 * problem.low, 0.0 * problem.high, problem.weights, 3, 0.1), Error);
  ClpmOptions options;
  options.tau = -1.0;
  EXPECT_THROW(Clpm{options}, Error);
  options = {};
  options.dimensions = 0;
  EXPECT_THROW(Clpm{options}, Error);
  options = {};
  options.neighbours = -1;
  EXPECT_THROW(Clpm{options}, Error);
}

TEST(Clpm, TheMemoChangesNothing) {
  const TrainingSet training = rendered_people::training(4, 2);
  ClpmOptions options;
  options.tune = false;
  options.dimensions = 5;
  Clpm plain(options);
  plain.learn(training);
  const auto memo = std::make_shared<Clpm::Memo>();
  for (int i = 0; i < 2; ++i) {
    Clpm remembered(options, memo);
    remembered.learn(training);
    EXPECT_EQ(remembered.model().probe.basis(), plain.model().probe.basis());
    EXPECT_EQ(remembered.model().gallery.basis(), plain.model().gallery.basis());
  }
}

}  // namespace
}  // namespace longshot
