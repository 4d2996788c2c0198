// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/vlr.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

struct VlrProblem {
  Matrix low;
  Matrix high;
  std::vector<int> subjects;
};

// Balanced: 8 people with 3 images each. Otherwise 1 to 6 images.
VlrProblem vlr_problem(bool balanced) {
  VlrProblem problem;
  for (int person = 0; person < 8; ++person) {
    const int images = balanced ? 3 : 1 + person * 5 % 6;
    problem.subjects.insert(problem.subjects.end(), static_cast<std::size_t>(images), person);
  }
  const auto n = static_cast<Index>(problem.subjects.size());
  problem.high = gaussian(6, n, 1);
  problem.low = gaussian(4, 6, 2) * problem.high + 0.3 * gaussian(4, n, 3);
  return problem;
}

// The objective, ridge included, by summing over all pairs.
double brute_force(const VlrProblem& problem, const Matrix& map, double g, double ridge) {
  const Index n = problem.low.cols();
  double pairs = 0.0;
  double same = 0.0;
  double different = 0.0;
  double same_count = 0.0;
  double different_count = 0.0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      const double error = (problem.high.col(i) - map * problem.low.col(j)).squaredNorm();
      if (i == j) pairs += error;
      if (problem.subjects[static_cast<std::size_t>(i)] ==
          problem.subjects[static_cast<std::size_t>(j)]) {
        same += error;
        same_count += 1.0;
      } else {
        different += error;
        different_count += 1.0;
      }
    }
  }
  const double unit = problem.low.squaredNorm() / static_cast<double>(n * problem.low.rows());
  return pairs / static_cast<double>(n) + g * (same / same_count - different / different_count) +
         ridge * unit * map.squaredNorm();
}

TEST(Relationship, NoOtherMapIsBetter) {
  for (const bool balanced : {true, false}) {
    const VlrProblem problem = vlr_problem(balanced);
    for (const double g : {0.0, 0.5}) {
      const Relationship result =
          learn_relationship(problem.low, problem.high, problem.subjects, g, 1e-3);
      ASSERT_EQ(result.discrimination, g);
      const double best = brute_force(problem, result.map, g, 1e-3);
      for (Index r = 0; r < 6; ++r) {
        for (Index c = 0; c < 4; ++c) {
          for (const double step : {-1e-3, 1e-3}) {
            Matrix other = result.map;
            other(r, c) += step;
            EXPECT_GT(brute_force(problem, other, g, 1e-3), best);
          }
        }
      }
    }
  }
}

TEST(Relationship, WithoutDiscriminationItIsRidgeRegression) {
  const VlrProblem problem = vlr_problem(false);
  const Matrix map = learn_relationship(problem.low, problem.high, problem.subjects, 0.0, 1e-2).map;
  const double unit = problem.low.squaredNorm() / 4.0;
  const Matrix normal =
      problem.low * problem.low.transpose() + 1e-2 * unit * Matrix::Identity(4, 4);
  EXPECT_LT((map * normal - problem.high * problem.low.transpose()).norm(), 1e-10);
}

TEST(Relationship, RecoversAnExactMap) {
  VlrProblem problem = vlr_problem(true);
  const Matrix truth = gaussian(6, 4, 5);
  problem.high = truth * problem.low;
  const Matrix map =
      learn_relationship(problem.low, problem.high, problem.subjects, 0.0, 1e-10).map;
  EXPECT_LT((map - truth).norm(), 1e-7);
}

TEST(Relationship, AProblemThatIsNotConvexIsWeakened) {
  // One person has most of the pairs and hardly any energy, so g would reward huge maps.
  VlrProblem problem = vlr_problem(false);
  problem.low *= 10.0;
  for (int i = 0; i < 20; ++i) problem.subjects.push_back(8);
  const auto n = static_cast<Index>(problem.subjects.size());
  problem.low.conservativeResize(Eigen::NoChange, n);
  problem.high.conservativeResize(Eigen::NoChange, n);
  problem.low.rightCols(20) = 1e-3 * gaussian(4, 20, 6);
  problem.high.rightCols(20) = gaussian(6, 20, 7);
  const Relationship result =
      learn_relationship(problem.low, problem.high, problem.subjects, 100.0, 1e-3);
  EXPECT_LT(result.discrimination, 100.0);
  EXPECT_TRUE(result.map.allFinite());
  const double best = brute_force(problem, result.map, result.discrimination, 1e-3);
  for (std::uint64_t seed = 10; seed < 20; ++seed) {
    EXPECT_GT(
        brute_force(problem, result.map + 0.1 * gaussian(6, 4, seed), result.discrimination, 1e-3),
        best);
  }
}

TEST(Relationship, BadInputIsRefused) {
  const VlrProblem problem = vlr_problem(true);
  const std::vector<int> one(problem.subjects.size(), 1);
  EXPECT_THROW(learn_relationship(problem.low, problem.high, one, 0.5, 1e-3), Error);
  EXPECT_THROW(learn_relationship(problem.low, problem.high, {1, 2}, 0.5, 1e-3), Error);
  EXPECT_THROW(learn_relationship(problem.low, problem.high, problem.subjects, -1.0, 1e-3), Error);
  EXPECT_THROW(learn_relationship(problem.low, problem.high, problem.subjects, 0.5, 0.0), Error);
  EXPECT_THROW(learn_relationship(0.0 * problem.low, problem.high, problem.subjects, 0.5, 0.1),
               Error);
  VlrOptions options;
  options.ridge = 0.0;
  EXPECT_THROW(Vlr{options}, Error);
  options = {};
  options.discrimination = -1.0;
  EXPECT_THROW(Vlr{options}, Error);
}

}  // namespace
}  // namespace longshot
