// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/clip/face_track.h"

namespace longshot {

// Which faces of a track weigh anything, in the order of time: of more than `most` those that weigh
// most.
std::vector<std::size_t> used_faces(const FaceTrack& track, std::size_t most);

// The registered faces of a track as one picture of that size: their mean by weights, each brought
// to the same brightness and contrast, in which values far from the others count less (Huber 1964).
// It is smoother than any frame and shows no detail that can be relied on. Throws Error if no face
// weighs anything.
Image joined_picture(const FaceTrack& track, Size size);

}  // namespace longshot
