// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera_problem.h"

#include <cmath>

#include <Eigen/Eigenvalues>
#include <gtest/gtest.h>

#include "longshot/camera/small_people_test.h"

namespace longshot {
namespace {

class CameraProblemTest : public testing::Test {
 protected:
  CameraProblemTest() : geometry_(small_people().geometry()), photos_(small_people().trained_high) {
    FaceGeometry seen = geometry_;
    seen.registration = {0.04, -0.03, 0.02, 0.0};
    crops_ = seen_by_camera(photos_, seen, parse_operator("gauss:0.7")).leftCols(9);
  }

  CameraProblem problem() const { return {crops_, photos_, geometry_, CameraFitOptions()}; }

  FaceGeometry geometry_;
  Matrix photos_;
  Matrix crops_;
};

TEST_F(CameraProblemTest, TheGradientIsThatOfTheLikelihood) {
  const CameraProblem problem = this->problem();
  CameraVector at = problem.centre();
  at.head<4>() << 0.01, -0.02, 0.03, 0.01;
  const auto likelihood = [&](const CameraVector& where) {
    return problem.explain(problem.seen_by(where)).likelihood;
  };
  const CameraProblem::Seen here = problem.seen_by(at);
  CameraVector gradient;
  CameraSquare information;
  problem.derivatives(at, here, problem.explain(here), gradient, information);
  for (Index i = 0; i < kCameraParameters; ++i) {
    CameraVector step = CameraVector::Zero();
    // As long as the steps of its numeric derivatives: blurs are not quite smooth.
    step(i) = i < kLogBlur ? 0.005 : 0.05;
    const double slope = (likelihood(at + step) - likelihood(at - step)) / (2.0 * step(i));
    EXPECT_NEAR(gradient(i), slope, 0.1 * std::abs(slope) + 2.0) << "parameter " << i;
  }
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<CameraSquare>(information).eigenvalues().minCoeff(), 0.0);
}

TEST_F(CameraProblemTest, TheTrueCameraIsLikelierThanNone) {
  const CameraProblem problem = this->problem();
  CameraVector truth = problem.centre();
  truth.head<4>() << 0.04, -0.03, 0.02, 0.0;
  truth(kLogBlur) = std::log(0.7);
  EXPECT_GT(problem.explain(problem.seen_by(truth)).likelihood,
            problem.explain(problem.seen_by(problem.centre())).likelihood + 5.0);
}

TEST_F(CameraProblemTest, ACropIsExplainedByItsOwnFace) {
  const CameraProblem problem = this->problem();
  const CameraProblem::Explanation explanation = problem.explain(
      problem.seen_by(parse_operator("gauss:0.7"), {0.04, -0.03, 0.02, 0.0}, 1.0, 0.02));
  for (Index j = 0; j < crops_.cols(); ++j) {
    Index face = 0;
    explanation.shares.col(j).maxCoeff(&face);
    EXPECT_EQ(face, j);
    EXPECT_NEAR(explanation.shares.col(j).sum(), 1.0, 1e-12);
  }
}

}  // namespace
}  // namespace longshot
