// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/image.h"

namespace longshot {

// Stands for the height over width of the image itself, until that is known.
inline constexpr double kSquarePixels = 0.0;

// Where the eyes are in a face crop, as fractions of its width and height. All crops of one set
// share a frame; the same frame at another size describes the same crop, shrunk or enlarged.
struct FaceFrame {
  // Our canonical crop: at 48x40 the eye centres are in the middle of row 16 (counted from 0),
  // 20 pixels apart and symmetric, so that a flip is an exact reversal of the columns.
  Eyes eyes = {{0.25, 16.5 / 48.0}, {0.75, 16.5 / 48.0}};
  // Height over width of the part of the scene that the crop shows. Pixels need not be square: a
  // crop of 48x40 and the same crop at 7x6 both have 1.2.
  double aspect = 48.0 / 40.0;

  bool operator==(const FaceFrame&) const = default;
  // Throws Error unless both eyes lie inside the crop, left of right, at least 5 % of it apart,
  // and the aspect is between 0.2 and 5.
  void check() const;
};

// The eye centres of the frame in pixels of a crop of that size.
Eyes eyes_in_pixels(const FaceFrame& frame, Size size);

}  // namespace longshot
