// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_network.h"

#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

template <typename Number>
void append(std::string& bytes, const std::vector<Number>& values) {
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
}

// `header`: outputs, inputs, kernel rows and columns, stride, padding before and behind, flags.
void append_layer(std::string& bytes, const std::vector<std::uint32_t>& header,
                  const std::vector<float>& bias, const std::vector<float>& weights) {
  append(bytes, header);
  append<std::uint32_t>(bytes, {2});
  append(bytes, bias);
  append(bytes, std::vector<float>(bias.size(), 1.0F));
  std::vector<Eigen::half> halves;
  for (const float weight : weights) halves.emplace_back(weight);
  append(bytes, halves);
}

// On 2x2: twice the pixel to the left, kept; that plus 1 with what was kept added, rectified; and
// a sum over all pixels, each with its own weight.
std::string tiny_network() {
  std::string bytes = "LSNET002";
  append<std::uint32_t>(bytes, {2, 2, 3});
  append_layer(bytes, {1, 1, 3, 3, 1, 1, 1, 2}, {0.0F}, {0, 0, 0, 2, 0, 0, 0, 0, 0});
  append_layer(bytes, {1, 1, 1, 1, 1, 0, 0, 1 | 4}, {1.0F}, {1});
  append_layer(bytes, {2, 1, 2, 2, 1, 0, 0, 0}, {0.0F, 0.5F}, {1, 10, 100, 1000, 1, 0, 0, 0});
  return bytes;
}

// On 3x3: the largest of 3x3 around the corners, kept; and two outputs, of scales 0.5 and 2, of the
// last of these, to the first of which the mean of what was kept is added.
std::string halving_network() {
  std::string bytes = "LSNET002";
  append<std::uint32_t>(bytes, {3, 3, 2});
  append_layer(bytes, {1, 1, 1, 1, 1, 0, 0, 2 | 16}, {0.0F}, {1});
  append<std::uint32_t>(bytes, {2, 1, 3, 3, 2, 0, 1, 8, 1});
  append<float>(bytes, {0.25F, 0.0F, 0.5F, 2.0F});
  append<std::int8_t>(bytes, {0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0, 0});
  return bytes;
}

TEST(ConvolutionNetwork, PoolsHalvesAndScalesAsByHand) {
  const ConvolutionNetwork network(halving_network());
  MatrixF image(9, 1);
  image << 1, 2, -3, 4, -5, -6, -9, -7, -8;  // pooled: 4 2; 4 -5
  const MatrixF values = network.forward(image);
  EXPECT_EQ(values(0, 0), -5.0F * 3.0F * 0.5F + 0.25F + 5.0F / 4.0F);
  EXPECT_EQ(values(1, 0), 10.0F);
}

TEST(ConvolutionNetwork, WhatDoesNotFitTogetherIsRefused) {
  std::string wide = halving_network();
  wide[wide.size() - 18 - 16 - 8] = 4;  // the mean over 2x2 of another size: added as it is
  EXPECT_THROW(ConvolutionNetwork{wide}, Error);
  std::string three_bytes = halving_network();
  three_bytes[three_bytes.size() - 18 - 16 - 4] = 3;
  EXPECT_THROW(ConvolutionNetwork{three_bytes}, Error);
}

TEST(ConvolutionNetwork, AddsUpAsByHand) {
  const ConvolutionNetwork network(tiny_network());
  EXPECT_EQ(network.grid(), (Size{2, 2}));
  EXPECT_EQ(network.dimensions(), 2);
  MatrixF images(4, 2);
  images << 1, -1, 5, 5, 2, -2, 7, 7;  // row after row: (1 5; 2 7) and (-1 5; -2 7)
  // The pixels to the left: 0 1 0 2; twice, once more and one: 1 5 1 9; and 1 0 1 0 for the other,
  // whose -3 and -7 are rectified.
  const MatrixF values = network.forward(images);
  EXPECT_EQ(values(0, 0), 9151.0F);
  EXPECT_EQ(values(1, 0), 1.5F);
  EXPECT_EQ(values(0, 1), 101.0F);
  EXPECT_EQ(values(1, 1), 1.5F);
}

TEST(ConvolutionNetwork, DamageIsRefused) {
  const std::string whole = tiny_network();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(ConvolutionNetwork(whole.substr(0, length)), Error) << length;
  }
  EXPECT_THROW(ConvolutionNetwork(whole + "x"), Error);
  std::string wide = whole;
  wide[24] = 2;  // channels of the first layer's input
  EXPECT_THROW(ConvolutionNetwork{wide}, Error);
  EXPECT_THROW(ConvolutionNetwork(whole).forward(MatrixF::Zero(5, 2)), Error);
}

class Crops : public testing::Test {
 protected:
  Crops() : network(life_network(), {12, 10}, FaceFrame(), {}) {
    Random random(3);
    crops = Matrix::NullaryExpr(120, 37, [&](Index, Index) { return random.uniform(); });
  }
  LifeNetwork network;
  Matrix crops;
};

TEST_F(Crops, AnImageIsTheSameInEveryBatchAndOnAnyNumberOfThreads) {
  const Matrix together = network.features(crops);
  for (const Index j : {0, 15, 16, 36}) {
    EXPECT_EQ(network.features(crops.col(j)), together.col(j)) << j;
  }
  set_thread_count(1);
  const Matrix alone = network.features(crops);
  set_thread_count(0);
  EXPECT_EQ(alone, together);
}

TEST_F(Crops, BrightnessAndContrastDoNotMatter) {
  const Matrix plain = network.features(crops);
  const Matrix bright = network.features((0.4 * crops).array() + 0.3);
  EXPECT_LT((bright - plain).norm(), 1e-4 * plain.norm());
  EXPECT_LT((plain.colwise().norm().array() - 1.0).abs().maxCoeff(), 1e-12);
}

TEST_F(Crops, MirrorImagesAreThoseOfTheMirroredCrops) {
  Matrix turned(crops.rows(), crops.cols());
  for (Index j = 0; j < crops.cols(); ++j) {
    turned.col(j) = crops.col(j).reshaped(12, 10).rowwise().reverse().reshaped();
  }
  const Matrix expected = network.features(turned);
  const Matrix mirrored = network.mirrored_features(crops);
  for (Index j = 0; j < crops.cols(); ++j) {
    EXPECT_GT(mirrored.col(j).dot(expected.col(j)), 0.998) << j;
    EXPECT_LT(mirrored.col(j).dot(network.features(crops.col(j)).col(0)), 0.998) << j;
  }
}

TEST_F(Crops, AFlatImageHasNoFeatures) {
  EXPECT_TRUE(network.features(Matrix::Constant(120, 1, 0.25)).isZero(0.0));
}

TEST_F(Crops, BadInput) {
  EXPECT_THROW(network.features(Matrix::Zero(119, 1)), Error);
  crops(5, 2) = std::nan("");
  EXPECT_THROW(network.features(crops), Error);
}

// Made by training/make_vectors.py with the weights that are built in. Values that are rounded to
// whole numbers another way, here and there, change what it says in the third digit.
TEST(LifeNetwork, AgreesWithTraining) {
  std::ifstream file(LONGSHOT_SOURCE_DIR "/src/longshot/feature/network_vectors.json");
  const nlohmann::json cases = nlohmann::json::parse(file).at("cases");
  ASSERT_GE(cases.size(), 3U);
  for (const auto& one : cases) {
    const Size size = {one.at("rows"), one.at("cols")};
    const auto pixels = one.at("pixels_by_row").get<std::vector<double>>();
    const auto expected = one.at("features").get<std::vector<double>>();
    const Matrix crop = Eigen::Map<const Matrix>(pixels.data(), size.cols, size.rows).transpose();
    const Matrix features =
        LifeNetwork(life_network(), size, FaceFrame(), {}).features(crop.reshaped());
    ASSERT_EQ(features.rows(), static_cast<Index>(expected.size()));
    EXPECT_GT(features.col(0).dot(Eigen::Map<const Vector>(expected.data(), features.rows())),
              0.9985)
        << to_string(size);
  }
}

}  // namespace
}  // namespace longshot
