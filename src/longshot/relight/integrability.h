// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/relight/normal_map.h"

namespace longshot {

// Heights whose differences come nearest, in the sum of squares, to the given slopes (Frankot and
// Chellappa, 1988, with cosines in place of complex waves, so that the surface need not be
// periodic). slope_x = dz/dx to the right, slope_y = dz/dy up, both rows x columns; steps are the
// distances between neighbouring pixels. Heights have mean 0.
Image integrate_slopes(const Image& slope_x, const Image& slope_y, double step_x, double step_y);

// The normals of the surface whose slopes come nearest to those of the map; covariance, mask and
// frame stay. Slopes steeper than z = 0.1 count as that.
NormalMap make_integrable(const NormalMap& map);

}  // namespace longshot
