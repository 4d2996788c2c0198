// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/s2r2.h"

#include <algorithm>

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"
#include "longshot/feature/photometric.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

Matrix random_matrix(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix values(rows, cols);
  for (double& value : values.reshaped()) value = random.normal();
  return values;
}

// Differences between neighbours one by one, as rows.
Matrix difference_rows(Size size) {
  Matrix rows = Matrix::Zero(0, size.pixels());
  const auto add = [&](Index a, Index b) {
    rows.conservativeResize(rows.rows() + 1, Eigen::NoChange);
    rows.bottomRows(1).setZero();
    rows(rows.rows() - 1, a) = -1.0;
    rows(rows.rows() - 1, b) = 1.0;
  };
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      if (r + 1 < size.rows) add(r + c * size.rows, r + 1 + c * size.rows);
      if (c + 1 < size.cols) add(r + c * size.rows, r + (c + 1) * size.rows);
    }
  }
  return rows;
}

TEST(S2r2SystemTest, SquaredDifferencesAreTheirProduct) {
  const Matrix rows = difference_rows({4, 3});
  EXPECT_TRUE(squared_differences({4, 3}).isApprox(rows.transpose() * rows, 1e-14));
}

// The measures against the stacked least-squares problem, solved densely by QR.
TEST(S2r2SystemTest, MeasuresAreThoseOfTheLeastSquaresSolution) {
  const Size high{6, 5};
  const Matrix b = random_matrix(8, 30, 1);
  const Matrix f = random_matrix(4, 30, 2);
  const Matrix l = difference_rows(high);
  const double alpha = 0.3;
  const double beta = 0.7;
  const S2r2System system = make_s2r2_system(b, high, f, alpha, beta);
  Matrix stacked(b.rows() + l.rows() + f.rows(), 30);
  stacked << b, alpha * l, beta * f;
  for (std::uint64_t seed = 3; seed < 8; ++seed) {
    const Vector y = random_matrix(8, 1, seed);
    const Vector claimed = random_matrix(4, 1, seed + 100);
    Vector right(stacked.rows());
    right << y, Vector::Zero(l.rows()), beta * claimed;
    const Vector x = stacked.colPivHouseholderQr().solve(right);
    const Eigen::Vector3d expected((b * x - y).norm(), (l * x).norm(), (f * x - claimed).norm());
    EXPECT_LT((system.measures(y, claimed) - expected).norm(), 1e-8 * expected.norm());
  }
}

TEST(S2r2SystemTest, AnIllPosedProblemIsRefused) {
  // Neither the degradation nor the features see the mean of the image.
  const Matrix blind = Matrix::Zero(2, 12);
  EXPECT_THROW(make_s2r2_system(blind, {4, 3}, blind, 0.1, 0.5), Error);
}

class S2r2Test : public testing::Test {
 protected:
  S2r2Test() : recognizer_(untuned()) { recognizer_.learn(recognizer_problem().training); }
  static S2r2Options untuned(bool relit = false) {
    S2r2Options options;
    options.tune = false;
    options.relit = relit;
    return options;
  }
  S2r2 recognizer_;
};

TEST_F(S2r2Test, DistancesAreWeightedMeasuresToTheNearestImage) {
  const RecognizerProblem& problem = recognizer_problem();
  const Matrix unit = normalise_columns(problem.probes, Normalisation::kUnitNorm);
  for (const bool relit : {false, true}) {
    S2r2 recognizer(untuned(relit));
    recognizer.learn(problem.training);
    const Matrix distances = all_distances(recognizer, problem.people, problem.probes);
    for (Index i = 0; i < distances.rows(); ++i) {
      const PersonImages& person = problem.people[static_cast<std::size_t>(i)];
      const Matrix& high = relit ? person.relit_high : person.photos_high;
      const Matrix& low = relit ? person.relit_low : person.photos_low;
      for (Index j = 0; j < distances.cols(); ++j) {
        double nearest = 1e300;
        for (Index s = 0; s < high.cols(); ++s) {
          const Vector features = recognizer.extraction() * high.col(s) / low.col(s).norm();
          nearest = std::min(nearest, recognizer.weights().dot(
                                          recognizer.system().measures(unit.col(j), features)));
        }
        EXPECT_NEAR(distances(i, j), nearest, 1e-6);
      }
    }
  }
}

TEST_F(S2r2Test, TheDiscriminantPutsImpostorsFarther) {
  const RecognizerProblem& problem = recognizer_problem();
  const Matrix low = normalise_columns(problem.training.photos_low(), Normalisation::kUnitNorm);
  const Matrix& high = problem.training.photos_high;
  const Matrix raw_low = problem.training.photos_low();
  double genuine = 0.0;
  double impostor = 0.0;
  const auto distance = [&](Index gallery, Index probe) {
    const Vector features =
        recognizer_.extraction() * high.col(gallery) / raw_low.col(gallery).norm();
    return recognizer_.weights().dot(recognizer_.system().measures(low.col(probe), features));
  };
  for (Index person = 0; person < 10; ++person) {
    genuine += distance(4 * person, 4 * person + 1);
    impostor += distance(4 * person, 4 * ((person + 1) % 10) + 1);
  }
  EXPECT_LT(genuine, impostor);
  EXPECT_NEAR(recognizer_.weights().norm(), 1.0, 1e-12);
}

TEST_F(S2r2Test, OnePhotoEachLeavesEqualWeights) {
  TrainingSet training = recognizer_problem().training;
  training.photos_high = training.photos_high(Eigen::all, training.gallery_like).eval();
  training.gallery_like.clear();
  training.subjects = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
  recognizer_.learn(training);
  EXPECT_EQ(recognizer_.weights(), Eigen::Vector3d::Ones());
}

TEST_F(S2r2Test, BadInputIsRefused) {
  PersonImages person = recognizer_problem().people[0];
  person.photos_low.setZero();
  EXPECT_THROW(recognizer_.enrol(person), Error);
  person = recognizer_problem().people[0];
  person.photos_high.conservativeResize(100, Eigen::NoChange);
  EXPECT_THROW(recognizer_.enrol(person), Error);
  S2r2Options options;
  options.alpha = 0.0;
  EXPECT_THROW(S2r2{options}, Error);
  options = {};
  options.beta = -1.0;
  EXPECT_THROW(S2r2{options}, Error);
}

}  // namespace
}  // namespace longshot
