// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution.h"

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

class Convolutions : public testing::TestWithParam<ConvolutionShape> {
 protected:
  const ConvolutionShape shape = GetParam();
  const MatrixF weights = random_values_of(shape.outputs, shape.kernel.pixels() * shape.inputs, 1);
  const MatrixF images = random_values_of(shape.inputs, 5 * shape.from.pixels(), 2);
  const Convolution convolution{shape, weights};
  Convolution::Scratch scratch;
};

// By tiles: one pixel, odd sides, channels that fill no vector and no panel. Directly: strides,
// kernels that are not square, none around, and one as large as the image.
INSTANTIATE_TEST_SUITE_P(All, Convolutions,
                         testing::Values(ConvolutionShape{1, 1, {3, 3}, 1, 1, 1, {1, 1}},
                                         ConvolutionShape{3, 5, {3, 3}, 1, 1, 1, {5, 4}},
                                         ConvolutionShape{8, 16, {3, 3}, 1, 1, 1, {2, 7}},
                                         ConvolutionShape{13, 35, {3, 3}, 1, 1, 1, {10, 8}},
                                         ConvolutionShape{128, 128, {3, 3}, 1, 1, 1, {5, 4}},
                                         ConvolutionShape{1, 32, {5, 5}, 2, 2, 2, {20, 17}},
                                         ConvolutionShape{7, 18, {3, 3}, 2, 1, 1, {9, 6}},
                                         ConvolutionShape{7, 18, {3, 3}, 2, 0, 1, {6, 5}},
                                         ConvolutionShape{4, 6, {3, 3}, 1, 0, 0, {5, 5}},
                                         ConvolutionShape{5, 2, {1, 1}, 1, 0, 0, {2, 2}},
                                         ConvolutionShape{6, 40, {5, 4}, 1, 0, 0, {5, 4}}));

TEST_P(Convolutions, EqualTheDefinitionOnEveryProcessor) {
  const Matrix expected = convolved(shape, weights, images);
  std::vector<const ConvolutionKernels*> all = {&portable_convolution_kernels()};
  if (avx2_convolution_kernels() != nullptr) all.push_back(avx2_convolution_kernels());
  for (const ConvolutionKernels* kernels : all) {
    MatrixF got;
    convolution.apply(images, got, scratch, *kernels);
    ASSERT_EQ(got.rows(), expected.rows());
    ASSERT_EQ(got.cols(), expected.cols());
    EXPECT_LT((got.cast<double>() - expected).norm(), 1e-6 * expected.norm()) << kernels->name;
  }
}

TEST_P(Convolutions, AnImageIsTheSameInEveryBatch) {
  MatrixF together;
  convolution.apply(images, together, scratch);
  const Index pixels = shape.to().pixels();
  for (Index i = 0; i < 5; ++i) {
    for (Index count = 1; i + count <= 5; ++count) {
      MatrixF part;
      const Index from = shape.from.pixels();
      convolution.apply(images.middleCols(i * from, count * from), part, scratch);
      EXPECT_EQ(part, together.middleCols(i * pixels, count * pixels)) << i << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace longshot
