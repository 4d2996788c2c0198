// SPDX-License-Identifier: Apache-2.0
#pragma once

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
};

// A convolution over any number of images at once, in single precision: from inputs x pixels of all
// images, row after row of an image, to outputs x pixels. Each image has the same values in every
// batch. Kernels of 3 x 3 at every pixel take 4 multiplications per output instead of 9
// (Winograd's F(2 x 2, 3 x 3); Lavin and Gray, 2016).
class Convolution {
 public:
  // What apply() needs to work; nothing is kept from call to call.
  struct Scratch {
    std::vector<float> padded;
    std::vector<float> entered;
    MatrixF products;
    std::vector<const float*> starts;
  };

  Convolution(const ConvolutionShape& shape,
              const MatrixF& weights);  // outputs x kernel pixels * inputs, inputs fastest

  const ConvolutionShape& shape() const { return shape_; }
  void apply(const MatrixF& images, MatrixF& result, Scratch& scratch,
             const ConvolutionKernels& kernels = convolution_kernels()) const;

 private:
  bool by_tiles() const;
  Size tiles() const;
  Size padded_size() const;
  void pad(const MatrixF& images, std::vector<float>& padded) const;
  void multiply(const float* panels, const PatchRuns& runs, Scratch& scratch, float* out,
                const ConvolutionKernels& kernels) const;
  void apply_directly(Index images, MatrixF& result, Scratch& scratch,
                      const ConvolutionKernels& kernels) const;
  void apply_by_tiles(Index images, MatrixF& result, Scratch& scratch,
                      const ConvolutionKernels& kernels) const;

  ConvolutionShape shape_;
  Index panel_outputs_;        // outputs, brought up to whole panels
  std::vector<float> panels_;  // of weights; by tiles, those of one point after the other
};

}  // namespace longshot
