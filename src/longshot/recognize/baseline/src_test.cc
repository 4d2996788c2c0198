// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/src.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

SrcOptions untuned_src() {
  SrcOptions options;
  options.tune = false;
  options.coding.tolerance = 1e-10;
  options.coding.max_iterations = 100000;
  return options;
}

// Solves the lasso by coordinate descent, another algorithm, and takes the residuals person by
// person.
TEST(SrcTest, DistancesAreThoseOfTheLassoByAnotherSolver) {
  const RecognizerProblem& problem = recognizer_problem();
  Src recognizer(untuned_src());
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
  const Matrix distances = all_distances(recognizer, problem.people, problem.probes);
  const double mu = recognizer.settings().coding.mu;
  for (const Index j : {0, 7, 17}) {
    const Vector y = space.features(problem.probes.col(j)).col(0).normalized();
    Vector g = Vector::Zero(atoms.cols());
    Vector rest = y;
    for (int sweep = 0; sweep < 20000; ++sweep) {
      for (Index k = 0; k < atoms.cols(); ++k) {
        const double before = g(k);
        const double target = before + atoms.col(k).dot(rest);
        g(k) = std::copysign(std::max(std::abs(target) - mu, 0.0), target);
        rest += (before - g(k)) * atoms.col(k);
      }
    }
    for (Index i = 0; i < people; ++i) {
      const double expected =
          (y - atoms.middleCols(i * each, each) * g.segment(i * each, each)).norm();
      EXPECT_NEAR(distances(i, j), expected, 1e-3);
    }
  }
}

TEST(SrcTest, TheGalleryCompetes) {
  const RecognizerProblem& problem = recognizer_problem();
  Src recognizer(untuned_src());
  recognizer.learn(problem.training);
  EXPECT_FALSE(recognizer.has_independent_distances());
  const Matrix all = all_distances(recognizer, problem.people, problem.probes);
  const Matrix one = all_distances(recognizer, {problem.people[0]}, problem.probes);
  EXPECT_GT((all.row(0) - one.row(0)).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(SrcTest, BadOptionsAreRefused) {
  SrcOptions options;
  options.coding.mu = -1.0;
  EXPECT_THROW(Src{options}, Error);
}

TEST(SrcTest, BlackImagesCannotBeEnrolled) {
  const RecognizerProblem& problem = recognizer_problem();
  Src recognizer(untuned_src());
  recognizer.learn(problem.training);
  PersonImages person = problem.people[0];
  person.relit_low.col(0).setZero();
  EXPECT_EQ(recognizer.enrol(person).part("samples").cols(), person.relit_low.cols() - 1);
  person.relit_low.setZero();
  EXPECT_THROW(recognizer.enrol(person), Error);
}

}  // namespace
}  // namespace longshot
