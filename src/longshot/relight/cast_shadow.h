// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/relight/face_shape.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

struct ShadowOptions {
  double softness = 0.1;  // slope over which light fades at the edge of a shadow, > 0
  double start = 0.1;     // eye distances from the pixel where occluders begin, > 0
  double step = 0.04;     // eye distances, > 0
  void check() const;
};

// How much of distant lights reaches each pixel past the rest of the face: 1 all, 0 none. The nose
// and the brows cast the shadows that n.s does not know. `lights` is 3 x k, unit vectors; the
// result is pixels x k. The shape is seen in the map's frame.
Matrix cast_shadows(const FaceShape& shape, const NormalMap& map, const MatrixRef& lights,
                    const ShadowOptions& options = {});

}  // namespace longshot
