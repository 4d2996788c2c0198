// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

// Cuts the face out of a photo by a similarity transform that brings the eyes to where the frame
// has them. Each output pixel is the mean over its footprint in the photo (area filter) when
// shrinking, and interpolated when enlarging; outside the photo its border is repeated.
// `size` may squeeze the frame: 7x6 shows the same crop as 48x40, only smaller.
// Throws Error if the eyes coincide, are not finite or lie far outside the photo.
Image align_face(const Image& photo, const Eyes& eyes, const FaceFrame& frame, Size size);

// Where the eyes of a tight face box usually are.
Eyes eyes_in_box(const Box& box);
// The square box, not turned, in which they usually are where these are.
Box box_of_eyes(const Eyes& eyes);

}  // namespace longshot
