// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "longshot/core/matrix.h"

namespace longshot {

// The inner loops of a convolution. What is computed of an image never depends on the images beside
// it.

inline constexpr Index kPanelOutputs = 16;
inline constexpr Index kGroup = 4;              // whole numbers that are multiplied together
inline constexpr int kLargestWholeValue = 127;  // of inputs, so that two products fit in 16 bits

// What one output pixel is made of: `count` runs of `length` numbers, `stride` apart.
struct PatchRuns {
  Index count = 0;
  Index length = 0;
  Index stride = 0;
};

// One output pixel after the other, from its sums of whole numbers: (sum * unit) * scale + bias.
struct SumUnits {
  const float* scale;  // of each output
  const float* bias;
  float unit;  // of the image's inputs
};

// For any processor, for x86 with AVX2, and with AVX-512 and its VNNI; the program chooses when it
// runs. All have the same bits on an x86-64: one input that is rounded another way would change
// what a network of whole numbers says in its third digit.
struct ConvolutionKernels {
  const char* name;
  // out (kPanelOutputs numbers every `out_stride`, for each of `pixels`) = panel times the patches
  // that begin at `starts`. The panel holds kPanelOutputs weights for each number of a patch.
  void (*products)(const float* panel, const float* const* starts, Index pixels,
                   const PatchRuns& runs, float* out, Index out_stride);
  // The same in whole numbers: inputs from 0 to kLargestWholeValue, weights from -127 to 127. Runs
  // are of whole groups, for each of which the panel holds kPanelOutputs x kGroup weights.
  void (*whole_products)(const std::int8_t* panel, const std::uint8_t* const* starts, Index pixels,
                         const PatchRuns& runs, std::int32_t* out, Index out_stride);
  // values = sums in their units, `outputs` numbers for each of `pixels`, sums `sum_stride` apart.
  void (*to_values)(const std::int32_t* sums, Index sum_stride, Index outputs, Index pixels,
                    const SumUnits& units, float* values);
  // values >= 0 to whole numbers, each values * factor to the nearest.
  void (*to_whole)(const float* values, Index count, float factor, std::uint8_t* whole);
};

// The best that this processor runs.
const ConvolutionKernels& convolution_kernels();

const ConvolutionKernels& portable_convolution_kernels();
// Null where the processor lacks them, or is not an x86.
const ConvolutionKernels* avx2_convolution_kernels();
const ConvolutionKernels* vnni_convolution_kernels();

}  // namespace longshot
