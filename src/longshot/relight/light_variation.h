// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

// What ships with longshot about how photos of one person differ, mostly by their light: a mean
// photo and the principal deviations from a person's own mean, for any frame and size. Whoever has
// no training people gets the within-class covariance of their resolution from it.

// Photos (pixels x count, mean intensity about 1, all positive) of one imaginary person under
// lights drawn from these statistics; the same for the same seed.
Matrix generic_photos(const FaceFrame& frame, Size size, Index count, std::uint64_t seed = 1);

// Tables over face coordinates (unit: the distance between the eyes; origin between them): columns
// x = 0, step, ... to the right; rows y = top, top - step, ... downwards. To the left even
// deviations are mirrored and odd ones mirrored with the opposite sign.
struct VariationTable {
  double step = 0.08;
  double top = 1.04;
  Index rows = 39;
  Index cols = 18;
  Index even = 0;                     // deviations that are left-right symmetric
  Index odd = 0;                      // and those that change sign
  const short* mean = nullptr;        // thousandths, row by row
  const short* deviations = nullptr;  // thousandths, the even ones first, each row by row
};

const VariationTable& builtin_variation();

// Photos that all have the same frame, and whom each shows.
struct VariationPhotos {
  FaceFrame frame;
  std::vector<Image> photos;
  std::vector<int> subjects;
};

// The C++ source that makes the variation of these photos the built-in one
// (light_variation_table.cc). Every person counts alike. Throws Error for fewer people than
// kFewestPeople or a person with a single photo.
std::string variation_source(const std::vector<VariationPhotos>& sets, Index even, Index odd);

}  // namespace longshot
