// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace longshot {
namespace {

Index in_whole_panels(Index outputs) {
  return (outputs + kPanelOutputs - 1) / kPanelOutputs * kPanelOutputs;
}

// Weights (outputs x length) in panels of kPanelOutputs, the last one filled up with zeros: in
// each, all outputs of a group of numbers, then those of the next.
template <typename Weights>
auto panels_of(const Weights& weights, Index group) {
  using Number = typename Weights::Scalar;
  const Index length = weights.cols();
  std::vector<Number> panels(static_cast<std::size_t>(in_whole_panels(weights.rows()) * length),
                             Number(0));
  for (Index o = 0; o < weights.rows(); ++o) {
    Number* const panel = panels.data() + o / kPanelOutputs * kPanelOutputs * length;
    for (Index i = 0; i < length; ++i) {
      panel[(i / group * kPanelOutputs + o % kPanelOutputs) * group + i % group] = weights(o, i);
    }
  }
  return panels;
}

// Copies all images between their zeros, each row by copy_row(from, count, to, image).
template <typename Input, typename CopyRow>
void pad(const ConvolutionShape& shape, const MatrixF& images, std::vector<Input>& padded,
         const CopyRow& copy_row) {
  assert(images.rows() == shape.inputs && images.cols() % shape.from.pixels() == 0);
  const Index count = images.cols() / shape.from.pixels();
  const Size size = shape.padded();
  padded.assign(static_cast<std::size_t>(count * size.pixels() * shape.inputs), Input(0));
  for (Index image = 0; image < count; ++image) {
    for (Index y = 0; y < shape.from.rows; ++y) {
      const Index to = (image * size.rows + y + shape.before) * size.cols + shape.before;
      copy_row(&images(0, (image * shape.from.rows + y) * shape.from.cols),
               shape.from.cols * shape.inputs, padded.data() + to * shape.inputs, image);
    }
  }
}

// All outputs of all padded images. `product` is one of the kernels'.
template <typename Number, typename Input, typename Sum, typename Product>
void multiply(const ConvolutionShape& shape, const std::vector<Number>& panels,
              const Product& product, ConvolutionScratch<Input, Sum>& scratch) {
  const Size to = shape.to();
  const Size size = shape.padded();
  const auto image_length = static_cast<std::size_t>(size.pixels() * shape.inputs);
  const auto images = static_cast<Index>(scratch.padded.size() / image_length);
  scratch.starts.clear();
  for (Index image = 0; image < images; ++image) {
    for (Index y = 0; y < to.rows; ++y) {
      const Input* const row =
          scratch.padded.data() + (image * size.rows + y * shape.stride) * size.cols * shape.inputs;
      for (Index x = 0; x < to.cols; ++x) {
        scratch.starts.push_back(row + x * shape.stride * shape.inputs);
      }
    }
  }
  const PatchRuns runs = {shape.kernel.rows, shape.kernel.cols * shape.inputs,
                          size.cols * shape.inputs};
  const auto pixels = static_cast<Index>(scratch.starts.size());
  scratch.sums.resize(in_whole_panels(shape.outputs), pixels);
  for (Index o = 0; o < shape.outputs; o += kPanelOutputs) {
    product(panels.data() + o * shape.patch(), scratch.starts.data(), pixels, runs,
            scratch.sums.data() + o, scratch.sums.rows());
  }
}

}  // namespace

Size ConvolutionShape::to() const {
  const auto side = [&](Index length, Index width) {
    return length < width ? 0 : (length - width) / stride + 1;
  };
  return {side(padded().rows, kernel.rows), side(padded().cols, kernel.cols)};
}

Convolution::Convolution(const ConvolutionShape& shape, const MatrixF& weights, VectorF bias)
    : shape_(shape), bias_(std::move(bias)), panels_(panels_of(weights, 1)) {
  assert(weights.rows() == shape.outputs && weights.cols() == shape.patch() &&
         bias_.size() == shape.outputs && shape.to().pixels() > 0);
}

void Convolution::apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
                        const ConvolutionKernels& kernels) const {
  pad(shape_, images, scratch.padded,
      [](const float* from, Index count, float* to, Index) { std::copy_n(from, count, to); });
  multiply(shape_, panels_, kernels.products, scratch);
  result = scratch.sums.topRows(shape_.outputs).colwise() + bias_;
}

WholeConvolution::WholeConvolution(const ConvolutionShape& shape, const Weights& weights,
                                   VectorF scale, VectorF bias)
    : shape_(shape),
      scale_(std::move(scale)),
      bias_(std::move(bias)),
      panels_(panels_of(weights, kGroup)) {
  assert(weights.rows() == shape.outputs && weights.cols() == shape.patch() &&
         scale_.size() == shape.outputs && bias_.size() == shape.outputs &&
         shape.inputs % kGroup == 0 && shape.patch() <= kLongestPatch && shape.to().pixels() > 0);
}

void WholeConvolution::apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
                             const ConvolutionKernels& kernels) const {
  const auto largest = [&](Index image) {
    return images.middleCols(image * shape_.from.pixels(), shape_.from.pixels()).maxCoeff();
  };
  VectorF unit(images.cols() / shape_.from.pixels());
  for (Index i = 0; i < unit.size(); ++i) {
    unit(i) = std::max(largest(i), 1e-30F) / static_cast<float>(kLargestWholeValue);
  }
  pad(shape_, images, scratch.padded,
      [&](const float* from, Index count, std::uint8_t* to, Index image) {
        kernels.to_whole(from, count, 1.0F / unit(image), to);
      });
  multiply(shape_, panels_, kernels.whole_products, scratch);
  const Index pixels = shape_.to().pixels();
  result.resize(shape_.outputs, unit.size() * pixels);
  for (Index i = 0; i < unit.size(); ++i) {
    kernels.to_values(scratch.sums.col(i * pixels).data(), scratch.sums.rows(), shape_.outputs,
                      pixels, {scale_.data(), bias_.data(), unit(i)},
                      result.col(i * pixels).data());
  }
}

}  // namespace longshot
