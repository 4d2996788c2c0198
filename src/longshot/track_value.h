// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/clip/clip_reader.h"
#include "longshot/clip/face_track.h"
#include "longshot/door.h"  // it keeps the two faces apart

namespace longshot {

// What is behind a track of the public face. Not installed.
struct v0::Track::Value {
  FaceTrack track;
};

namespace door {

longshot::ClipOptions inner(const v0::ClipOptions& options);
// The face as it was cut out for the track, at its own size.
Image crop_of_track(const TrackedFace& face);

}  // namespace door
}  // namespace longshot
