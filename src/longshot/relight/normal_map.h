// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"
#include "longshot/image/image_io.h"

namespace longshot {

class FaceShape;

// Unit surface normals of a face crop, one column per pixel in column-major order. Axes: x to the
// image's right, y up, z towards the camera; a visible normal has z > 0.
//
// These are normals of the scene, like the light directions they are multiplied with. A crop that
// is squeezed to another shape shows the same surface under the same light, so squeezing moves
// normals from pixel to pixel and never changes them. Turning a picture turns its normals.
struct NormalMap {
  Size size;
  Matrix normals;  // 3 x pixels
  Vector mask;     // pixels: 1 on the face, 0 elsewhere
  // Covariance of individual people's normals about the mean: xx, xy, xz, yy, yz, zz. Empty (0
  // columns) where it was not measured.
  Matrix covariance;  // 6 x pixels or 6 x 0
  FaceFrame frame;    // of the crop

  // Throws Error unless sizes agree, all is finite, normals have unit length and z > 0 in the mask.
  void check() const;
};

// Normals of an analytic shape, exact at every pixel centre, for eyes where the frame has them
// (also tilted or anisotropically scaled crops). The mask is the outline of a face, the same for
// every shape.
NormalMap normals_of_shape(const FaceShape& shape, const FaceFrame& frame, Size size);

// Normals follow their image: a flip negates x.
NormalMap flip(const NormalMap& map);
// The same crop at another size: averaged where it shrinks, bilinear where it grows.
NormalMap resize(const NormalMap& map, Size size);
// Another crop of the same face: moved, scaled and turned so that the eyes are where `frame` has
// them. A turn turns (nx, ny). What the map does not show is filled from its border, mask 0.
NormalMap reframe(const NormalMap& map, const FaceFrame& frame, Size size);

// The usual picture of normals: red, green, blue = (n + 1) / 2, black outside the mask.
ColorImage normals_as_color(const NormalMap& map);

// What a surface of albedo 1 shows under a distant light of direction and strength s, without cast
// shadows: max(n . s, 0), pixels.
Vector shading(const NormalMap& map, const Eigen::Vector3d& light);

}  // namespace longshot
