// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/crc.h"

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

TEST(CrcTest, DistancesAreThoseOfTheClosedForm) {
  const RecognizerProblem& problem = recognizer_problem();
  CrcOptions options;
  options.tune = false;
  options.lambda = 0.02;
  Crc recognizer(options);
  recognizer.learn(problem.training);
  const FeatureSpace space = recognizer.state().space("low");
  const Index people = static_cast<Index>(problem.people.size());
  const Index each = problem.people[0].relit_low.cols();
  Matrix atoms(space.dimensions(), people * each);
  for (Index i = 0; i < people; ++i) {
    atoms.middleCols(i * each, each) =
        space.features(problem.people[static_cast<std::size_t>(i)].relit_low);
  }
  atoms.colwise().normalize();
  const Matrix normal =
      atoms.transpose() * atoms + 0.02 * Matrix::Identity(atoms.cols(), atoms.cols());
  const Matrix projector = normal.inverse() * atoms.transpose();
  const Matrix distances = all_distances(recognizer, problem.people, problem.probes);
  for (Index j = 0; j < problem.probes.cols(); ++j) {
    const Vector y = space.features(problem.probes.col(j)).col(0).normalized();
    const Vector g = projector * y;
    for (Index i = 0; i < people; ++i) {
      const auto own = g.segment(i * each, each);
      const double residual = (y - atoms.middleCols(i * each, each) * own).norm();
      EXPECT_NEAR(distances(i, j), residual / own.norm(), 1e-8 * distances(i, j));
    }
  }
}

TEST(CrcTest, BadOptionsAreRefused) {
  CrcOptions options;
  options.lambda = 0.0;
  EXPECT_THROW(Crc{options}, Error);
}

}  // namespace
}  // namespace longshot
