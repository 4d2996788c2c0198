// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/photometric.h"

#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// Below this the deviation from black or from the mean is rounding, not an image.
constexpr double kSmallestNorm = 1e-9;

}  // namespace

Normalisation parse_normalisation(std::string_view text) {
  for (const Normalisation candidate :
       {Normalisation::kNone, Normalisation::kUnitNorm, Normalisation::kZeroMeanUnitNorm,
        Normalisation::kRootUnitNorm}) {
    if (text == to_string(candidate)) return candidate;
  }
  throw Error("\"{}\" is not a normalisation: use none, unit, zero-mean or root.", text);
}

std::string to_string(Normalisation normalisation) {
  switch (normalisation) {
    case Normalisation::kNone:
      return "none";
    case Normalisation::kUnitNorm:
      return "unit";
    case Normalisation::kZeroMeanUnitNorm:
      return "zero-mean";
    case Normalisation::kRootUnitNorm:
      return "root";
  }
  return "none";
}

Matrix normalise_columns(const MatrixRef& images, Normalisation normalisation) {
  if (!images.allFinite()) throw Error("An image holds values that are not finite numbers.");
  Matrix result = images;
  if (normalisation == Normalisation::kNone) return result;
  for (auto column : result.colwise()) {
    if (normalisation == Normalisation::kZeroMeanUnitNorm) column.array() -= column.mean();
    if (normalisation == Normalisation::kRootUnitNorm) column = column.cwiseMax(0.0).cwiseSqrt();
    const double norm = column.norm();
    if (norm > kSmallestNorm) {
      column /= norm;
    } else {
      column.setZero();
    }
  }
  return result;
}

}  // namespace longshot
