// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/gradient_orientations.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/error.h"

namespace longshot {
namespace {

GradientOptions one_cell() {
  GradientOptions options;
  options.cells = {{1, 1}};
  return options;
}

// Grey rises towards the angle, 0 being to the right and a quarter turn downwards.
Vector ramp(Size size, double angle) {
  Matrix image(size.rows, size.cols);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      image(r, c) =
          std::cos(angle) * static_cast<double>(c) + std::sin(angle) * static_cast<double>(r);
    }
  }
  return image.reshaped();
}

Vector pattern(Size size) {
  Matrix image(size.rows, size.cols);
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      const double y = (static_cast<double>(r) + 0.5) / static_cast<double>(size.rows);
      const double x = (static_cast<double>(c) + 0.5) / static_cast<double>(size.cols);
      image(r, c) = 0.5 + 0.2 * std::sin(7.0 * x + 3.0 * y * y) + 0.1 * std::cos(11.0 * y - x);
    }
  }
  return image.reshaped();
}

TEST(GradientOrientations, ARampHasOneDirection) {
  const Size size = {48, 40};
  const GradientOrientations gradients(one_cell(), size, FaceFrame());
  for (Index k = 0; k < 8; ++k) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(k) / 8.0;
    const Vector features = gradients.features(ramp(size, angle)).col(0);
    Index strongest = -1;
    features.maxCoeff(&strongest);
    EXPECT_EQ(strongest, k);
    // The neighbours are cos^4(45 degrees) = 1/4, their roots half; nothing is behind.
    const auto at = [&](Index i) { return features((k + i + 8) % 8) - features((k + 4) % 8); };
    EXPECT_NEAR(at(1) / at(0), 0.5, 0.02) << k;
    EXPECT_NEAR(at(-1) / at(0), 0.5, 0.02) << k;
    EXPECT_NEAR(at(2) / at(0), 0.0, 0.1) << k;
  }
}

TEST(GradientOrientations, BrightnessAndContrastDoNotMatter) {
  const Vector crop = pattern({12, 10});
  const GradientOrientations gradients({}, {12, 10}, FaceFrame());
  const Matrix features = gradients.features(crop);
  EXPECT_NEAR(features.norm(), 1.0, 1e-12);
  EXPECT_NEAR(features.sum(), 0.0, 1e-9);
  const Matrix other = gradients.features((3.0 * crop).array() + 0.7);
  EXPECT_LT((features - other).norm(), 1e-9);
}

// Another size of the same face is nearly the same, as all are brought to one grid.
TEST(GradientOrientations, SizesAreComparable) {
  const Vector small = GradientOrientations({}, {24, 20}, FaceFrame()).features(pattern({24, 20}));
  const Vector large = GradientOrientations({}, {40, 36}, FaceFrame()).features(pattern({40, 36}));
  EXPECT_GT(small.dot(large), 0.99);
}

TEST(GradientOrientations, ATightCropLeavesOutWhatItDoesNotShow) {
  const FaceFrame tight = {{{0.27, 0.23}, {0.74, 0.23}}, 1.0};
  const GradientOrientations gradients({}, {32, 32}, tight);
  // Of eleven rows of cells the first two are hardly visible; rows run fastest.
  for (Index cell = 0; cell < gradients.dimensions(); ++cell) {
    EXPECT_EQ(gradients.visible()(cell), cell % 11 < 2 ? 0.0 : 1.0);
  }
  const Vector features = gradients.features(pattern({32, 32}));
  EXPECT_EQ(features(0), 0.0);
  EXPECT_EQ(features(11), 0.0);
  EXPECT_NE(features(2), 0.0);
  EXPECT_NEAR(features.squaredNorm(), 9.0 / 11.0, 1e-12);
}

// What training/ computes of the same images: the two must agree, or the table does not fit.
TEST(GradientOrientations, AgreesWithTheTraining) {
  std::ifstream file(LONGSHOT_SOURCE_DIR "/src/longshot/feature/gradient_vectors.json");
  const nlohmann::json document = nlohmann::json::parse(file);
  ASSERT_GE(document.at("cases").size(), 3U);
  for (const nlohmann::json& entry : document.at("cases")) {
    const nlohmann::json& chosen = entry.at("options");
    GradientOptions options;
    options.grid = {chosen.at("rows"), chosen.at("cols")};
    options.directions = chosen.at("directions");
    options.window = chosen.at("window");
    options.floor = chosen.at("floor");
    options.overlap = chosen.at("overlap");
    options.cells.clear();
    for (const auto& cells : chosen.at("cells")) options.cells.push_back({cells[0], cells[1]});
    const Size size = {entry.at("rows"), entry.at("cols")};
    const auto pixels = entry.at("pixels_by_row").get<std::vector<double>>();
    const auto expected = entry.at("features").get<std::vector<double>>();
    const Vector crop =
        Eigen::Map<const Matrix>(pixels.data(), size.cols, size.rows).transpose().reshaped();
    const Vector found = GradientOrientations(options, size, FaceFrame()).features(crop);
    ASSERT_EQ(found.size(), static_cast<Index>(expected.size()));
    for (Index i = 0; i < found.size(); ++i) {
      ASSERT_NEAR(found(i), expected[static_cast<std::size_t>(i)], 1e-5) << i;
    }
  }
}

TEST(GradientOrientations, AFlatImageHasNoFeature) {
  const GradientOrientations gradients({}, {7, 6}, FaceFrame());
  EXPECT_TRUE(gradients.features(Matrix::Zero(42, 1)).isZero(0.0));
  EXPECT_TRUE(gradients.features(Matrix::Constant(42, 1, 0.3)).isZero(0.0));
}

TEST(GradientOrientations, BadInput) {
  const GradientOrientations gradients({}, {7, 6}, FaceFrame());
  EXPECT_THROW(gradients.features(Matrix::Ones(41, 1)), Error);
  Matrix bad = Matrix::Ones(42, 1);
  bad(3, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(gradients.features(bad), Error);
  GradientOptions options;
  options.window = 4;
  EXPECT_THROW(options.check(), Error);
  options = {};
  options.cells = {{49, 9}};
  EXPECT_THROW(options.check(), Error);
}

}  // namespace
}  // namespace longshot
