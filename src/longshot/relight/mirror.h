// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

// Where the other half of the face is. Unlike a flip, which reverses the columns of a crop, this
// mirrors about the face's own axis, so it also fits crops whose eyes are not placed symmetrically
// or not level. Samples are bilinear; what lies outside the crop is filled from its border.

// channels: any number x pixels, column-major crops; every row is mirrored by itself.
Matrix mirror_about_face(const MatrixRef& channels, const FaceFrame& frame, Size size);
// normals: 3 x pixels. Besides moving, the component along the face's x axis changes sign; the
// results are unit vectors.
Matrix mirror_normals(const MatrixRef& normals, const FaceFrame& frame, Size size);

}  // namespace longshot
