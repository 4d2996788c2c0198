// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/mds.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/sparse/small_problems.h"

namespace longshot {
namespace {

using small_problems::gaussian;

struct MdsProblem {
  Matrix low;
  Matrix high;
  std::vector<int> subjects;
};

MdsProblem mds_problem() {
  MdsProblem problem;
  problem.high = gaussian(6, 30, 1);
  problem.low = gaussian(4, 6, 2) * problem.high + 0.1 * gaussian(4, 30, 3);
  for (int i = 0; i < 30; ++i) problem.subjects.push_back(i / 3);
  return problem;
}

// D_ij = [h_i; -l_j].
Vector difference(const MdsProblem& problem, Index i, Index j) {
  Vector d(10);
  d << problem.high.col(i), -problem.low.col(j);
  return d;
}

double target(const MdsProblem& problem, Index i, Index j, const MdsMapOptions& options) {
  const bool same = problem.subjects[static_cast<std::size_t>(i)] ==
                    problem.subjects[static_cast<std::size_t>(j)];
  if (options.same_person_at_0 && same) return 0.0;
  return (problem.high.col(i) - problem.high.col(j)).norm();
}

Matrix stacked(const MdsMaps& maps) {
  Matrix all(10, maps.low.cols());
  all << maps.high, maps.low;
  return all;
}

double brute_force(const MdsProblem& problem, const Matrix& maps, const MdsMapOptions& options) {
  double sum = 0.0;
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) {
      const double q = (maps.transpose() * difference(problem, i, j)).norm();
      const double d = target(problem, i, j, options);
      sum += options.lambda * (q - d) * (q - d);
      if (i / 3 == j / 3) sum += (1.0 - options.lambda) * q * q;
    }
  }
  return sum;
}

std::vector<MdsMapOptions> variants() {
  std::vector<MdsMapOptions> list;
  for (const double lambda : {0.2, 0.5, 1.0}) {
    for (const bool same_person_at_0 : {false, true}) {
      MdsMapOptions options;
      options.dimensions = 3;
      options.lambda = lambda;
      options.same_person_at_0 = same_person_at_0;
      list.push_back(options);
    }
  }
  return list;
}

TEST(MdsMaps, MajorisationNeverIncreasesTheObjective) {
  const MdsProblem problem = mds_problem();
  for (MdsMapOptions options : variants()) {
    options.tolerance = 0.0;
    options.max_iterations = 60;
    const MdsMaps maps = mds_maps(problem.low, problem.high, problem.subjects, options);
    ASSERT_GT(maps.objectives.size(), 5u);
    for (std::size_t k = 1; k < maps.objectives.size(); ++k) {
      EXPECT_LE(maps.objectives[k], maps.objectives[k - 1] * (1.0 + 1e-12));
    }
    EXPECT_LT(maps.objectives.back(), maps.objectives.front());
  }
}

TEST(MdsMaps, TheObjectiveIsThatOfAllPairs) {
  const MdsProblem problem = mds_problem();
  for (const MdsMapOptions& options : variants()) {
    const MdsMaps maps = mds_maps(problem.low, problem.high, problem.subjects, options);
    const double expected = brute_force(problem, stacked(maps), options);
    EXPECT_NEAR(maps.objectives.back(), expected, 1e-9 * expected);
  }
}

TEST(MdsMaps, OneIterationIsTheFormulaWithOuterProducts) {
  const MdsProblem problem = mds_problem();
  for (MdsMapOptions options : variants()) {
    options.max_iterations = 0;
    const Matrix start = stacked(mds_maps(problem.low, problem.high, problem.subjects, options));
    options.max_iterations = 1;
    const Matrix next = stacked(mds_maps(problem.low, problem.high, problem.subjects, options));
    Matrix a = Matrix::Zero(10, 10);
    Matrix c = Matrix::Zero(10, 10);
    for (Index i = 0; i < 30; ++i) {
      for (Index j = 0; j < 30; ++j) {
        const Vector d = difference(problem, i, j);
        const double q = (start.transpose() * d).norm();
        const double same = i / 3 == j / 3 ? 1.0 : 0.0;
        a += (options.lambda + (1.0 - options.lambda) * same) * d * d.transpose();
        c += options.lambda * target(problem, i, j, options) / q * d * d.transpose();
      }
    }
    EXPECT_LT((a * next - c * start).norm(), 1e-9 * (c * start).norm());
  }
}

TEST(MdsMaps, EndsAtAStationaryPoint) {
  const MdsProblem problem = mds_problem();
  MdsMapOptions options;
  options.dimensions = 3;
  options.tolerance = 0.0;
  options.max_iterations = 3000;
  const MdsMaps maps = mds_maps(problem.low, problem.high, problem.subjects, options);
  const Matrix at = stacked(maps);
  const double value = maps.objectives.back();
  for (Index r = 0; r < at.rows(); ++r) {
    for (Index k = 0; k < at.cols(); ++k) {
      Matrix up = at;
      Matrix down = at;
      up(r, k) += 1e-5;
      down(r, k) -= 1e-5;
      const double slope =
          (brute_force(problem, up, options) - brute_force(problem, down, options)) / 2e-5;
      EXPECT_NEAR(slope, 0.0, 1e-3 * value);
    }
  }
}

TEST(MdsMaps, PerfectPairsKeepTheirDistances) {
  MdsProblem problem = mds_problem();
  problem.low = problem.high;
  MdsMapOptions options;
  options.dimensions = 6;
  options.lambda = 1.0;
  const MdsMaps maps = mds_maps(problem.low, problem.high, problem.subjects, options);
  EXPECT_LT(maps.objectives.back(), 1e-12);
  EXPECT_TRUE(maps.low.allFinite());
}

TEST(MdsMaps, SaysWhetherItConverged) {
  const MdsProblem problem = mds_problem();
  MdsMapOptions options;
  options.max_iterations = 1;
  options.tolerance = 0.0;
  EXPECT_FALSE(mds_maps(problem.low, problem.high, problem.subjects, options).converged);
  options.max_iterations = 500;
  options.tolerance = 1e-3;
  EXPECT_TRUE(mds_maps(problem.low, problem.high, problem.subjects, options).converged);
}

TEST(MdsMaps, BadInputIsRefused) {
  const MdsProblem problem = mds_problem();
  EXPECT_THROW(mds_maps(problem.low.leftCols(9), problem.high, problem.subjects, {}), Error);
  EXPECT_THROW(mds_maps(problem.low, problem.high, {1, 2}, {}), Error);
  MdsOptions options;
  options.map.lambda = 0.0;
  EXPECT_THROW(Mds{options}, Error);
  options.map.lambda = 1.1;
  EXPECT_THROW(Mds{options}, Error);
  options = {};
  options.map.dimensions = 0;
  EXPECT_THROW(Mds{options}, Error);
}

}  // namespace
}  // namespace longshot
