// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/feature/convolution_kernels.h"
#include "longshot/image/image.h"

namespace longshot {

struct ConvolutionShape {
  Index inputs = 1;  // channels
  Index outputs = 1;
  Size kernel;
  Index stride = 1;
  Index before = 0;  // zeros above the image and to its left
  Index behind = 0;  // zeros below and to its right
  Size from;         // of its input

  Size to() const;  // of its output; a side is 0 where the kernel is larger than the padded image
  Size padded() const { return {from.rows + before + behind, from.cols + before + behind}; }
  Index patch() const { return kernel.pixels() * inputs; }  // numbers that make an output
};

// What convolutions need to work; nothing is kept from call to call.
template <typename Input, typename Sum>
struct ConvolutionScratch {
  std::vector<Input> padded;
  std::vector<const Input*> starts;                         // of the patches
  Eigen::Matrix<Sum, Eigen::Dynamic, Eigen::Dynamic> sums;  // outputs, in whole panels, x pixels
};

// Convolutions over any number of images at once: from inputs x pixels of all images, row after row
// of an image, to outputs x pixels. Each image has the same values in every batch. Patches are read
// where they lie.

// In single precision.
class Convolution {
 public:
  using Scratch = ConvolutionScratch<float, float>;

  Convolution(const ConvolutionShape& shape,
              const MatrixF& weights,  // outputs x patch(), inputs fastest
              VectorF bias);

  void apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
             const ConvolutionKernels& kernels = convolution_kernels()) const;

 private:
  ConvolutionShape shape_;
  VectorF bias_;
  std::vector<float> panels_;
};

// In whole numbers, which the inputs of each image become in units of their largest: up to four
// times as fast, and with the same bits on every x86-64.
class WholeConvolution {
 public:
  using Scratch = ConvolutionScratch<std::uint8_t, std::int32_t>;
  using Weights = Eigen::Matrix<std::int8_t, Eigen::Dynamic, Eigen::Dynamic>;

  // As above, weights from -127 to 127 in units of `scale`, which each output has its own of. The
  // inputs are a multiple of kGroup, and a patch has at most kLongestPatch numbers.
  WholeConvolution(const ConvolutionShape& shape, const Weights& weights, VectorF scale,
                   VectorF bias);
  static constexpr Index kLongestPatch = 100'000;  // whose sum fits in 32 bits

  // Images >= 0.
  void apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
             const ConvolutionKernels& kernels = convolution_kernels()) const;

 private:
  ConvolutionShape shape_;
  VectorF scale_;
  VectorF bias_;
  std::vector<std::int8_t> panels_;
};

}  // namespace longshot
