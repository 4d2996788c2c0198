// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// One-dimensional resampling weights, out x in, every row summing to 1. Output i sits at the input
// coordinate (i + 0.5) in / out - 0.5 (pixel centres counted from 0); factors need not be whole.

// Matlab's imresize with 'bicubic' and antialiasing: Keys' cubic (a = -1/2), stretched by the
// reduction factor, borders reflected with the edge pixel repeated.
Matrix imresize_weights(Index in, Index out);
// The same of the part of the input from `begin` to `end`, fractions of it that may lie outside.
Matrix imresize_weights(Index in, Index out, double begin, double end);

// The mean over each output pixel's footprint: a box, as a sensor integrates light. When enlarging,
// the footprint lies within one or two input pixels.
Matrix area_weights(Index in, Index out);

// Gaussian blur of `sigma` input pixels, cut at 3 sigma, borders reflected; in x in.
Matrix gauss_blur_weights(Index in, double sigma);

// Linear interpolation between the two nearest pixel centres, borders repeated.
Matrix linear_weights(Index in, Index out);

}  // namespace longshot
