// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

class FaceShape;

// Unit surface normals of a face crop, one column per pixel in column-major order. Axes: x to the
// image's right, y up, z towards the camera; a visible normal has z > 0.
struct NormalMap {
  Size size;
  Matrix normals;  // 3 x pixels
  Vector mask;     // pixels: 1 on the face, 0 elsewhere
  // Covariance of individual people's normals about the mean: xx, xy, xz, yy, yz, zz. Empty (0
  // columns) where it was not measured.
  Matrix covariance;  // 6 x pixels or 6 x 0

  // Throws Error unless sizes agree, all is finite, normals have unit length and z > 0 in the mask.
  void check() const;
};

// Normals of an analytic shape, exact at every pixel centre, for eyes where the frame has them
// (also tilted or anisotropically scaled crops).
NormalMap normals_of_shape(const FaceShape& shape, const FaceFrame& frame, Size size);

// Normals follow their image: a flip negates x.
NormalMap flip(const NormalMap& map);
// The same crop at another size, area-averaged; `frame` fractions stay, so where rows and columns
// scale by (ky, kx), normals become (nx / kx, ny / ky, nz) renormalised.
NormalMap resize(const NormalMap& map, Size size);

}  // namespace longshot
