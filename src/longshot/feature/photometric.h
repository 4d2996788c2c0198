// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "longshot/core/matrix.h"

namespace longshot {

// Makes an image independent of exposure, after it was brought to its resolution. Without it the
// strength of the light would change distances between people.
enum class Normalisation {
  kNone,
  kUnitNorm,          // x / |x|
  kZeroMeanUnitNorm,  // (x - mean) / |x - mean|: also removes an offset of the camera
  kRootUnitNorm,      // sqrt(x) / |sqrt(x)|: compresses highlights
};

Normalisation parse_normalisation(std::string_view text);  // none, unit, zero-mean, root
std::string to_string(Normalisation normalisation);

// Normalises each column (one image per column). An image that has nothing to normalise (all black,
// or all of one grey where the mean is removed) becomes zero instead of a division by zero.
// Throws Error on values that are not finite.
Matrix normalise_columns(const MatrixRef& images, Normalisation normalisation);

}  // namespace longshot
