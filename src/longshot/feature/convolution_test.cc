// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution.h"

#include <cmath>
#include <cstdint>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>

#include "longshot/core/random.h"

namespace longshot {

void PrintTo(const ConvolutionShape& shape, std::ostream* out) {
  *out << shape.inputs << " to " << shape.outputs << " by " << to_string(shape.kernel) << " over "
       << to_string(shape.from) << ", stride " << shape.stride << ", padding " << shape.before
       << " and " << shape.behind;
}

namespace {

MatrixF random_values_of(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, cols,
                              [&](Index, Index) { return static_cast<float>(random.normal()); });
}

// Straight from the definition, in double precision.
Matrix convolved(const ConvolutionShape& shape, const MatrixF& weights, const MatrixF& images) {
  const Size to = shape.to();
  const Index count = images.cols() / shape.from.pixels();
  Matrix result = Matrix::Zero(shape.outputs, count * to.pixels());
  for (Index column = 0; column < result.cols(); ++column) {
    const Index image = column / to.pixels();
    for (Index k = 0; k < shape.kernel.pixels(); ++k) {
      const Index y = column % to.pixels() / to.cols * shape.stride + k / shape.kernel.cols;
      const Index x = column % to.cols * shape.stride + k % shape.kernel.cols;
      const Index row = y - shape.before;
      const Index col = x - shape.before;
      if (row < 0 || col < 0 || row >= shape.from.rows || col >= shape.from.cols) continue;
      result.col(column) +=
          weights.middleCols(k * shape.inputs, shape.inputs).cast<double>() *
          images.col((image * shape.from.rows + row) * shape.from.cols + col).cast<double>();
    }
  }
  return result;
}

std::vector<const ConvolutionKernels*> all_kernels() {
  std::vector<const ConvolutionKernels*> all = {&portable_convolution_kernels()};
  for (const ConvolutionKernels* kernels :
       {avx2_convolution_kernels(), vnni_convolution_kernels()}) {
    if (kernels != nullptr) all.push_back(kernels);
  }
  return all;
}

// Five images together are what any of them are.
template <typename Kind>
void expect_the_same_in_every_batch(const ConvolutionShape& shape, const Kind& convolution,
                                    const MatrixF& images) {
  typename Kind::Scratch scratch;
  MatrixF together;
  convolution.apply(images, together, scratch);
  const Index from = shape.from.pixels();
  const Index to = shape.to().pixels();
  for (Index i = 0; i < 5; ++i) {
    for (Index count = 1; i + count <= 5; ++count) {
      MatrixF part;
      convolution.apply(images.middleCols(i * from, count * from), part, scratch);
      EXPECT_EQ(part, together.middleCols(i * to, count * to)) << i << ' ' << count;
    }
  }
}

class Convolutions : public testing::TestWithParam<ConvolutionShape> {
 protected:
  const ConvolutionShape shape = GetParam();
  const MatrixF weights = random_values_of(shape.outputs, shape.patch(), 1);
  const MatrixF images = random_values_of(shape.inputs, 5 * shape.from.pixels(), 2);
  const VectorF bias = random_values_of(shape.outputs, 1, 3);
  const Convolution convolution{shape, weights, bias};
};

// One pixel, odd sides, channels that fill no vector and no panel, strides, kernels that are not
// square, none around, and one as large as the image.
INSTANTIATE_TEST_SUITE_P(All, Convolutions,
                         testing::Values(ConvolutionShape{1, 1, {3, 3}, 1, 1, 1, {1, 1}},
                                         ConvolutionShape{3, 5, {3, 3}, 1, 1, 1, {5, 4}},
                                         ConvolutionShape{13, 35, {3, 3}, 1, 1, 1, {10, 8}},
                                         ConvolutionShape{1, 32, {5, 5}, 2, 2, 2, {20, 17}},
                                         ConvolutionShape{7, 18, {3, 3}, 2, 0, 1, {6, 5}},
                                         ConvolutionShape{4, 6, {3, 3}, 1, 0, 0, {5, 5}},
                                         ConvolutionShape{5, 2, {1, 1}, 1, 0, 0, {2, 2}},
                                         ConvolutionShape{6, 40, {5, 4}, 1, 0, 0, {5, 4}}));

TEST_P(Convolutions, EqualTheDefinitionOnEveryProcessor) {
  Matrix expected = convolved(shape, weights, images);
  expected.colwise() += bias.cast<double>();
  MatrixF first;
  for (const ConvolutionKernels* kernels : all_kernels()) {
    Convolution::Scratch scratch;
    MatrixF got;
    convolution.apply(images, got, scratch, *kernels);
    ASSERT_EQ(got.rows(), expected.rows());
    ASSERT_EQ(got.cols(), expected.cols());
    EXPECT_LT((got.cast<double>() - expected).norm(), 1e-6 * expected.norm()) << kernels->name;
    if (first.size() == 0) first = got;
    EXPECT_EQ(got, first) << kernels->name;
  }
}

TEST_P(Convolutions, AnImageIsTheSameInEveryBatch) {
  expect_the_same_in_every_batch(shape, convolution, images);
}

class WholeConvolutions : public testing::TestWithParam<ConvolutionShape> {
 protected:
  WholeConvolutions() {
    Random random(4);
    weights = WholeConvolution::Weights::NullaryExpr(
        shape.outputs, shape.patch(),
        [&](Index, Index) { return static_cast<std::int8_t>(random.uniform(-127.0, 127.99)); });
    weights(0, 0) = -127;
  }
  // Whole numbers, of which each image has the largest.
  MatrixF whole_images() const {
    Random random(5);
    MatrixF images(shape.inputs, 5 * shape.from.pixels());
    for (float& value : images.reshaped()) {
      value = std::floor(static_cast<float>(random.uniform(0.0, kLargestWholeValue + 0.99)));
    }
    for (Index i = 0; i < 5; ++i) images(0, i * shape.from.pixels()) = kLargestWholeValue;
    return images;
  }
  WholeConvolution convolution(const VectorF& scale, const VectorF& bias) const {
    return {shape, weights, scale, bias};
  }
  const ConvolutionShape shape = GetParam();
  WholeConvolution::Weights weights;
};

INSTANTIATE_TEST_SUITE_P(All, WholeConvolutions,
                         testing::Values(ConvolutionShape{4, 1, {3, 3}, 1, 1, 1, {1, 1}},
                                         ConvolutionShape{8, 16, {3, 3}, 1, 1, 1, {2, 7}},
                                         ConvolutionShape{12, 35, {3, 3}, 1, 1, 1, {10, 8}},
                                         ConvolutionShape{128, 128, {3, 3}, 1, 1, 1, {5, 4}},
                                         ConvolutionShape{32, 18, {3, 3}, 2, 0, 1, {6, 5}},
                                         ConvolutionShape{20, 6, {5, 4}, 1, 0, 0, {5, 4}}));

TEST_P(WholeConvolutions, OfWholeNumbersAreExactOnEveryProcessor) {
  const MatrixF images = whole_images();
  const Matrix expected = convolved(shape, weights.cast<float>(), images);
  for (const ConvolutionKernels* kernels : all_kernels()) {
    WholeConvolution::Scratch scratch;
    MatrixF got;
    convolution(VectorF::Ones(shape.outputs), VectorF::Zero(shape.outputs))
        .apply(images, got, scratch, *kernels);
    EXPECT_EQ(got.cast<double>(), expected) << kernels->name;
  }
}

TEST_P(WholeConvolutions, AreNearTheDefinitionAndTheSameOnEveryProcessor) {
  const MatrixF images = random_values_of(shape.inputs, 5 * shape.from.pixels(), 6).cwiseAbs();
  const VectorF scale = random_values_of(shape.outputs, 1, 7).cwiseAbs();
  const VectorF bias = random_values_of(shape.outputs, 1, 8);
  Matrix expected = convolved(shape, scale.asDiagonal() * weights.cast<float>(), images);
  expected.colwise() += bias.cast<double>();
  MatrixF first;
  for (const ConvolutionKernels* kernels : all_kernels()) {
    WholeConvolution::Scratch scratch;
    MatrixF got;
    convolution(scale, bias).apply(images, got, scratch, *kernels);
    EXPECT_LT((got.cast<double>() - expected).norm(), 0.02 * expected.norm()) << kernels->name;
    if (first.size() == 0) first = got;
    EXPECT_EQ(got, first) << kernels->name;
  }
}

TEST_P(WholeConvolutions, AnImageIsTheSameInEveryBatch) {
  const MatrixF images = random_values_of(shape.inputs, 5 * shape.from.pixels(), 9).cwiseAbs();
  expect_the_same_in_every_batch(
      shape, convolution(VectorF::Ones(shape.outputs), VectorF::Zero(shape.outputs)), images);
}

TEST(WholeConvolution, OfNothingIsItsBias) {
  const ConvolutionShape shape = {4, 2, {3, 3}, 1, 1, 1, {2, 2}};
  const VectorF bias = random_values_of(2, 1, 10);
  WholeConvolution::Scratch scratch;
  MatrixF got;
  WholeConvolution(shape, WholeConvolution::Weights::Constant(2, 36, 5), VectorF::Ones(2), bias)
      .apply(MatrixF::Zero(4, 4), got, scratch);
  EXPECT_EQ(got, bias.replicate(1, 4).eval());
}

}  // namespace
}  // namespace longshot
