// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/lbph.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/recognizer_problem.h"

namespace longshot {
namespace {

TEST(LbpCodesTest, NeighboursAreCountedFromTheRightUpwards) {
  Image image(3, 3);
  // A brighter pixel to the right sets bit 0, above bit 2, left bit 4, below bit 6.
  image << 0, 0, 0,  //
      0, 5, 9,       //
      0, 0, 0;
  EXPECT_EQ(lbp_codes(image, 1)(0, 0), 1);
  image << 0, 9, 0,  //
      0, 5, 0,       //
      0, 0, 0;
  EXPECT_EQ(lbp_codes(image, 1)(0, 0), 1 << 2);
  image << 0, 0, 0,  //
      5, 5, 0,       //
      0, 9, 0;
  EXPECT_EQ(lbp_codes(image, 1)(0, 0), (1 << 4) + (1 << 6));
}

// At radius 1 a diagonal neighbour lies at 0.7071 of the way: a value of 20 there contributes 0.5.
TEST(LbpCodesTest, DiagonalNeighboursAreInterpolated) {
  Image image(3, 3);
  image << 0, 0, 20,  //
      0, 5, 0,        //
      0, 0, 0;
  // 0.5 x 20 + 0.0858 x 5 = 10.4 upwards on the right; the other three diagonals have 0.43.
  EXPECT_EQ(lbp_codes(image, 1)(0, 0), 1 << 1);
  image(0, 2) = 9;  // 4.93, darker than the centre
  EXPECT_EQ(lbp_codes(image, 1)(0, 0), 0);
}

TEST(LbpCodesTest, RadiusTwoLooksTwoPixelsAway) {
  Image image = Image::Zero(5, 5);
  image(2, 2) = 5;
  image(2, 3) = 9;
  EXPECT_EQ(lbp_codes(image, 2)(0, 0), 0);
  image(2, 4) = 9;
  EXPECT_EQ(lbp_codes(image, 2)(0, 0), 1);
}

TEST(LbpCodesTest, FlatImagesHaveAllBitsWhateverTheirGrey) {
  for (const double grey : {0.0, 0.1, 1.0 / 3.0, 7.3}) {
    EXPECT_EQ(lbp_codes(Image::Constant(6, 7, grey), 2), Eigen::MatrixXi::Constant(2, 3, 255));
  }
}

TEST(LbpLabelsTest, FiftyEightPatternsAreUniform) {
  std::set<int> labels;
  int other = 0;
  for (int code = 0; code < 256; ++code) {
    labels.insert(uniform_lbp_label(code));
    if (uniform_lbp_label(code) == kLbpLabels - 1) ++other;
  }
  EXPECT_EQ(labels.size(), 59u);
  EXPECT_EQ(other, 256 - 58);
  EXPECT_EQ(uniform_lbp_label(0), 0);
  EXPECT_EQ(uniform_lbp_label(1), 1);
  EXPECT_EQ(uniform_lbp_label(0b00000101), 58);
  EXPECT_EQ(uniform_lbp_label(0b10000001), uniform_lbp_label(0b10000000) + 1);
  EXPECT_EQ(uniform_lbp_label(255), 57);
}

TEST(LbpHistogramsTest, CellsAreSeparateAndSumToOne) {
  // The left cell sees a brighter pixel on the right everywhere, the right one is flat.
  Image image(3, 6);
  image.rowwise() = Eigen::RowVectorXd::LinSpaced(6, 0.0, 0.5).cwiseMin(0.3);
  const Vector histograms = lbp_histograms(image, 1, {1, 2});
  ASSERT_EQ(histograms.size(), 2 * 59);
  EXPECT_DOUBLE_EQ(histograms.head(59).sum(), 1.0);
  EXPECT_DOUBLE_EQ(histograms.tail(59).sum(), 1.0);
  // Right, both diagonals there, above and below are not darker.
  const int rising = uniform_lbp_label(0b11000111);
  EXPECT_DOUBLE_EQ(histograms(rising), 1.0);
  EXPECT_DOUBLE_EQ(histograms(59 + rising), 0.5);
}

TEST(ChiSquareTest, IsTheSumOverBinsThatAreNotEmpty) {
  EXPECT_DOUBLE_EQ(chi_square(Eigen::Vector3d(1, 0, 3), Eigen::Vector3d(0, 0, 1)), 1.0 + 1.0);
  EXPECT_DOUBLE_EQ(chi_square(Eigen::Vector2d(0.5, 0.5), Eigen::Vector2d(0.5, 0.5)), 0.0);
}

TEST(LbphTest, DistancesAreBetweenZeroAndOne) {
  const RecognizerProblem& problem = recognizer_problem();
  for (const bool degraded : {true, false}) {
    LbphOptions options;
    options.tune = false;
    options.degraded = degraded;
    Lbph recognizer(options);
    recognizer.learn(problem.training);
    const Matrix distances = all_distances(recognizer, problem.people, problem.probes);
    EXPECT_GE(distances.minCoeff(), 0.0);
    EXPECT_LE(distances.maxCoeff(), 1.0);
    const double own =
        all_distances(recognizer, {problem.people[0]}, problem.people[0].photos_low)(0, 0);
    if (degraded) {
      EXPECT_EQ(own, 0.0);
    } else {
      EXPECT_GT(own, 0.0);
    }
  }
}

TEST(LbphTest, BadInputIsRefused) {
  EXPECT_THROW(lbp_codes(Image::Ones(4, 9), 2), Error);
  EXPECT_THROW(lbp_codes(Image::Ones(4, 9), 0), Error);
  EXPECT_THROW(Lbph{LbphOptions{.radius = 3}}, Error);
  LbphOptions options;
  options.cells = {0, 5};
  EXPECT_THROW(Lbph{options}, Error);
}

}  // namespace
}  // namespace longshot
