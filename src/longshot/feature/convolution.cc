// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/convolution.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace longshot {
namespace {

constexpr Size kWinogradKernel = {3, 3};

// Copies weights (outputs x length) to panels of kPanelOutputs, the last one filled up with zeros.
void pack_weights(const MatrixF& weights, float* panels) {
  for (Index o = 0; o < weights.rows(); ++o) {
    float* const panel = panels + o / kPanelOutputs * kPanelOutputs * weights.cols();
    for (Index i = 0; i < weights.cols(); ++i)
      panel[i * kPanelOutputs + o % kPanelOutputs] = weights(o, i);
  }
}

// G of F(2, 3).
Eigen::Matrix<double, kWinogradPatch, 3> kernel_to_points() {
  Eigen::Matrix<double, kWinogradPatch, 3> g;
  g << 1.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5, 0.0, 0.0, 1.0;
  return g;
}

// Of point y, x of a tile: outputs x inputs.
MatrixF point_weights(const MatrixF& weights, Index inputs, Index y, Index x) {
  const Eigen::Matrix<double, kWinogradPatch, 3> g = kernel_to_points();
  Matrix sum = Matrix::Zero(weights.rows(), inputs);
  for (Index k = 0; k < kWinogradKernel.pixels(); ++k) {
    const double factor = g(y, k / kWinogradKernel.cols) * g(x, k % kWinogradKernel.cols);
    if (factor != 0.0) sum += factor * weights.middleCols(k * inputs, inputs).cast<double>();
  }
  return sum.cast<float>();
}

Index rounded_up(Index value, Index unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Size ConvolutionShape::to() const {
  const auto side = [&](Index length, Index width) {
    const Index padded = before + length + behind;
    return padded < width ? 0 : (padded - width) / stride + 1;
  };
  return {side(from.rows, kernel.rows), side(from.cols, kernel.cols)};
}

Convolution::Convolution(const ConvolutionShape& shape, const MatrixF& weights)
    : shape_(shape), panel_outputs_(rounded_up(shape.outputs, kPanelOutputs)) {
  assert(weights.rows() == shape.outputs &&
         weights.cols() == shape.kernel.pixels() * shape.inputs && shape.to().pixels() > 0);
  if (!by_tiles()) {
    panels_.assign(static_cast<std::size_t>(panel_outputs_ * weights.cols()), 0.0F);
    pack_weights(weights, panels_.data());
    return;
  }
  const Index point = panel_outputs_ * shape.inputs;
  panels_.assign(static_cast<std::size_t>(kWinogradPoints * point), 0.0F);
  for (Index i = 0; i < kWinogradPoints; ++i) {
    pack_weights(point_weights(weights, shape.inputs, i / kWinogradPatch, i % kWinogradPatch),
                 panels_.data() + i * point);
  }
}

bool Convolution::by_tiles() const {
  return shape_.kernel == kWinogradKernel && shape_.stride == 1 && shape_.before == 1 &&
         shape_.behind == 1;
}

Size Convolution::tiles() const {
  return {rounded_up(shape_.from.rows, kWinogradSide) / kWinogradSide,
          rounded_up(shape_.from.cols, kWinogradSide) / kWinogradSide};
}

Size Convolution::padded_size() const {
  if (!by_tiles()) {
    const Index more = shape_.before + shape_.behind;
    return {shape_.from.rows + more, shape_.from.cols + more};
  }
  const Index around = kWinogradPatch - kWinogradSide;
  return {tiles().rows * kWinogradSide + around, tiles().cols * kWinogradSide + around};
}

void Convolution::pad(const MatrixF& images, std::vector<float>& padded) const {
  const Index count = images.cols() / shape_.from.pixels();
  const Size size = padded_size();
  padded.assign(static_cast<std::size_t>(count * size.pixels() * shape_.inputs), 0.0F);
  for (Index image = 0; image < count; ++image) {
    for (Index y = 0; y < shape_.from.rows; ++y) {
      const Index to = ((image * size.rows + y + shape_.before) * size.cols + shape_.before);
      std::copy_n(&images(0, (image * shape_.from.rows + y) * shape_.from.cols),
                  shape_.from.cols * shape_.inputs, padded.data() + to * shape_.inputs);
    }
  }
}

// All outputs of the patches that begin at scratch.starts.
void Convolution::multiply(const float* panels, const PatchRuns& runs, Scratch& scratch, float* out,
                           const ConvolutionKernels& kernels) const {
  const auto pixels = static_cast<Index>(scratch.starts.size());
  for (Index o = 0; o < panel_outputs_; o += kPanelOutputs) {
    kernels.products(panels + o * runs.count * runs.length, scratch.starts.data(), pixels, runs,
                     out + o, panel_outputs_);
  }
}

void Convolution::apply_directly(Index images, MatrixF& result, Scratch& scratch,
                                 const ConvolutionKernels& kernels) const {
  const Size to = shape_.to();
  const Size size = padded_size();
  scratch.starts.clear();
  for (Index image = 0; image < images; ++image) {
    for (Index y = 0; y < to.rows; ++y) {
      const float* const row = scratch.padded.data() +
                               (image * size.rows + y * shape_.stride) * size.cols * shape_.inputs;
      for (Index x = 0; x < to.cols; ++x)
        scratch.starts.push_back(row + x * shape_.stride * shape_.inputs);
    }
  }
  scratch.products.resize(panel_outputs_, images * to.pixels());
  multiply(panels_.data(),
           {shape_.kernel.rows, shape_.kernel.cols * shape_.inputs, size.cols * shape_.inputs},
           scratch, scratch.products.data(), kernels);
  result = scratch.products.topRows(shape_.outputs);
}

void Convolution::apply_by_tiles(Index images, MatrixF& result, Scratch& scratch,
                                 const ConvolutionKernels& kernels) const {
  const Size to = shape_.to();
  const Size size = padded_size();
  const Index per_image = tiles().pixels();
  const Index count = images * per_image;
  const Index plane = count * shape_.inputs;
  const auto place = [&](Index tile) {  // image, and row and column of its first pixel
    const Index within = tile % per_image;
    return std::array<Index, 3>{tile / per_image, within / tiles().cols * kWinogradSide,
                                within % tiles().cols * kWinogradSide};
  };
  scratch.entered.resize(static_cast<std::size_t>(kWinogradPoints * plane));
  for (Index tile = 0; tile < count; ++tile) {
    const auto [image, y, x] = place(tile);
    kernels.enter(scratch.padded.data() + ((image * size.rows + y) * size.cols + x) * shape_.inputs,
                  size.cols * shape_.inputs, shape_.inputs,
                  scratch.entered.data() + tile * shape_.inputs, plane);
  }
  scratch.products.resize(panel_outputs_, kWinogradPoints * count);
  scratch.starts.resize(static_cast<std::size_t>(count));
  for (Index i = 0; i < kWinogradPoints; ++i) {
    for (Index tile = 0; tile < count; ++tile) {
      scratch.starts[static_cast<std::size_t>(tile)] =
          scratch.entered.data() + i * plane + tile * shape_.inputs;
    }
    multiply(panels_.data() + i * panel_outputs_ * shape_.inputs, {1, shape_.inputs, 0}, scratch,
             scratch.products.col(i * count).data(), kernels);
  }
  result.resize(shape_.outputs, images * to.pixels());
  for (Index tile = 0; tile < count; ++tile) {
    const auto [image, y, x] = place(tile);
    kernels.leave(scratch.products.col(tile).data(), count * panel_outputs_, shape_.outputs,
                  std::min(kWinogradSide, to.rows - y), std::min(kWinogradSide, to.cols - x),
                  &result(0, (image * to.rows + y) * to.cols + x), to.cols * shape_.outputs);
  }
}

void Convolution::apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
                        const ConvolutionKernels& kernels) const {
  assert(images.rows() == shape_.inputs && images.cols() % shape_.from.pixels() == 0);
  const Index count = images.cols() / shape_.from.pixels();
  pad(images, scratch.padded);
  if (by_tiles())
    apply_by_tiles(count, result, scratch, kernels);
  else
    apply_directly(count, result, scratch, kernels);
}

}  // namespace longshot
