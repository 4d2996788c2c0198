// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/image.h"

namespace longshot {

// The picture moved by dx pixels to the right and dy down, bilinear, its border repeated.
Image shift(const Image& image, double dx, double dy);

}  // namespace longshot
