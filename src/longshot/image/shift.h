// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/image.h"

namespace longshot {

// How a face sits in the image compared with where the frame says. Separable, so that moving a face
// and bringing it down is one pair of small matrices.
struct Registration {
  double dx = 0.0;     // to the right, in widths of the image
  double dy = 0.0;     // down, in heights
  double log_x = 0.0;  // logarithm of the horizontal magnification about the image's centre
  double log_y = 0.0;  // and of the vertical one
  bool operator==(const Registration&) const = default;
};

// count x count, for one axis of `count` pixels: the picture magnified about its centre by
// exp(log_scale), then moved by `by` pixels; linear interpolation, the border repeated.
Matrix move_weights(Index count, double by, double log_scale);

// The picture moved by dx pixels to the right and dy down, bilinear, its border repeated.
Image shift(const Image& image, double dx, double dy);

}  // namespace longshot
