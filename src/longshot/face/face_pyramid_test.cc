// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_pyramid.h"

#include <atomic>

#include <gtest/gtest.h>
#include <opencv2/core.hpp>

#include "longshot/image/align.h"

namespace longshot {
namespace {

// Proposes the brightest pixel of a tile, if it is bright, as the left eye.
class BrightSpot final : public FaceDetector {
 public:
  std::vector<FaceProposal> propose(const cv::Mat& grey, BoxRange /*widths*/,
                                    bool /*again*/) const override {
    if (grey.total() > 1200 * 1200) too_large = true;
    double most = 0.0;
    cv::Point at;
    cv::minMaxLoc(grey, nullptr, &most, nullptr, &at);
    if (most < 100) return {};
    return {{{{at.x + 0.5, at.y + 0.5}, {at.x + 20.5, at.y + 0.5}}, true, 1.0}};
  }
  double least_width() const override { return 44.0; }
  std::string name() const override { return "spot"; }
  mutable std::atomic<bool> too_large = false;
};

TEST(FacePyramid, LevelsShareAllWidths) {
  const std::vector<PyramidLevel> levels = pyramid_levels({480, 640}, 3.5, 44.0);
  ASSERT_FALSE(levels.empty());
  for (std::size_t i = 1; i < levels.size(); ++i) {
    EXPECT_NEAR(levels[i].factor, 2.0 * levels[i - 1].factor, 1e-12);
    EXPECT_GE(levels[i].widths.most / levels[i].factor,
              levels[i - 1].widths.least / levels[i - 1].factor);
  }
  const PyramidLevel& finest = levels.back();
  EXPECT_NEAR(finest.widths.least / finest.factor, box_of_eyes({{0, 0}, {3.5, 0}}).width, 1e-9);
  const PyramidLevel& coarsest = levels.front();
  EXPECT_GT(coarsest.widths.most / coarsest.factor, 1.35 * 480);
}

TEST(FacePyramid, APlaceIsTheSameOnEveryLevelAndTile) {
  cv::Mat image(700, 900, CV_8U, cv::Scalar(10));
  for (const cv::Point at : {cv::Point(3, 2), cv::Point(450, 333), cv::Point(880, 690)}) {
    cv::Mat spot = image.clone();
    spot(cv::Rect(at.x, at.y, 3, 3)).setTo(255);
    for (const double factor : {0.5, 1.0, 2.7}) {
      const BrightSpot detector;
      const std::vector<FaceProposal> seen =
          propose_on_level(spot, {factor, {44, 99}}, detector, false);
      for (const FaceProposal& found : seen) {
        EXPECT_NEAR(found.eyes.left.x, at.x + 1.5, 1.5) << factor;
        EXPECT_NEAR(found.eyes.left.y, at.y + 1.5, 1.5) << factor;
        EXPECT_NEAR(eye_distance(found.eyes), 20.0 / factor, 1e-9);
      }
      EXPECT_FALSE(seen.empty()) << factor;
      EXPECT_FALSE(detector.too_large);
    }
  }
}

TEST(FacePyramid, AnImageOfOnePixelIsNoTrouble) {
  const cv::Mat image(1, 1, CV_8U, cv::Scalar(0));
  EXPECT_TRUE(propose_on_level(image, {4.0, {44, 99}}, BrightSpot(), false).empty());
  EXPECT_TRUE(pyramid_levels({1, 1}, 3.5, 44.0).empty());
}

// A spot beside the area may be seen or not; one within it is.
TEST(FacePyramid, LooksAtAPartWhereItIsAskedTo) {
  cv::Mat image(700, 900, CV_8U, cv::Scalar(10));
  image(cv::Rect(600, 500, 3, 3)).setTo(255);
  SearchArea::Squares wanted = SearchArea::Squares::Constant(88, 113, false);
  const auto seen = [&](double factor) {
    return propose_on_level(image, {factor, {44, 99}}, BrightSpot(), false, {wanted, 8}).size();
  };
  for (const double factor : {0.5, 1.0, 2.7}) EXPECT_EQ(seen(factor), 0U) << factor;
  wanted(2, 3) = true;
  EXPECT_EQ(seen(2.7), 0U);
  wanted(63, 75) = true;
  for (const double factor : {0.5, 1.0, 2.7}) EXPECT_GE(seen(factor), 1U) << factor;
}

}  // namespace
}  // namespace longshot
