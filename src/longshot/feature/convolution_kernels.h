// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// The inner loops of a convolution, in single precision. What is computed of an image never depends
// on the images beside it.

inline constexpr Index kPanelOutputs = 16;
inline constexpr Index kWinogradSide = 2;     // of outputs that are computed together (Winograd)
inline constexpr Index kWinogradPatch = 4;    // of the inputs that a tile needs
inline constexpr Index kWinogradPoints = 16;  // products per tile, input and output

// What one output pixel is made of: `count` runs of `length` numbers, `stride` apart.
struct PatchRuns {
  Index count = 0;
  Index length = 0;
  Index stride = 0;
};

// One body, compiled for any processor and for x86 with AVX2 and FMA; the program chooses when it
// runs.
struct ConvolutionKernels {
  const char* name;
  // out (kPanelOutputs numbers every `out_stride`, for each of `pixels`) = panel times the patches
  // that begin at `starts`. The panel holds kPanelOutputs weights for each number of a patch.
  void (*products)(const float* panel, const float* const* starts, Index pixels,
                   const PatchRuns& runs, float* out, Index out_stride);
  // From a patch of kWinogradPatch x kWinogradPatch pixels with `channels` numbers each, rows
  // `row_stride` apart, to kWinogradPoints x channels, `plane` apart.
  void (*enter)(const float* patch, Index row_stride, Index channels, float* out, Index plane);
  // From kWinogradPoints x channels, `plane` apart, to the first `rows` x `cols` pixels of a tile,
  // each `channels` long, rows `row_stride` apart.
  void (*leave)(const float* points, Index plane, Index channels, Index rows, Index cols,
                float* out, Index row_stride);
};

// The best that this processor runs.
const ConvolutionKernels& convolution_kernels();

const ConvolutionKernels& portable_convolution_kernels();
// Null where the processor lacks AVX2 or FMA, or is not an x86.
const ConvolutionKernels* avx2_convolution_kernels();

}  // namespace longshot
