// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/face/face_finder.h"
#include "longshot/image/image.h"

namespace longshot {

// A face on one frame of a clip.
struct TrackedFace {
  Index frame = 0;       // number
  double seconds = 0.0;  // from the beginning of the clip
  FoundFace face;        // on the frame, as it was found
  Image patch;           // the frame around it; large faces are shrunk
  Eyes eyes;             // on the patch; align_track() moves them
  double weight = 1.0;   // how much it tells compared with the others, 0 to 1
};

// One person, as far as it can be told, from frame to frame.
struct FaceTrack {
  std::vector<TrackedFace> faces;  // in the order of time
};

// Of zero mean and unit norm: the sum of the products of two such is their correlation.
Image normalised(const Image& image);

// Cuts the surroundings of the face out of its frame.
TrackedFace tracked_face(const Image& frame, Index number, double seconds, const FoundFace& face);

// Moves the eyes of all faces so that the faces lie on each other to a fraction of a pixel, by
// least squares against their mean (Lucas and Kanade 1981; shift and magnification). What a
// detector errs from frame to frame goes; what it errs always stays. Then weighs each: by its
// likeness to the mean, by its sharpness and by its pixels; what differs far from the rest, for
// being turned, hidden or somebody else's, weighs nothing.
void align_track(FaceTrack& track);

// How many frames of equal weight say as much: (sum of weights)^2 / sum of their squares.
double effective_frames(const FaceTrack& track);

}  // namespace longshot
