// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/clip/face_track.h"
#include "longshot/door.h"  // it keeps the two faces apart

namespace longshot {

// What is behind a track of the public face. Not installed.
struct v0::Track::Value {
  FaceTrack track;
};

}  // namespace longshot
