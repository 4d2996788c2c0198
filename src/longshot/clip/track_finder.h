// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "longshot/clip/clip_reader.h"
#include "longshot/clip/tracker.h"
#include "longshot/core/progress.h"

namespace longshot {

struct ClipTracks {
  std::vector<FaceTrack> tracks;
  Index frames = 0;       // that were looked at
  std::string cut_short;  // why the rest of the clip is missing, one sentence; empty if it is not
};

// The faces of a clip from frame to frame. What was found stays where the user asks to stop or the
// clip turns out to be damaged. Throws Error if not even its first frame can be had.
ClipTracks find_tracks(const std::filesystem::path& path, const ClipOptions& clip,
                       const std::filesystem::path& detector, const FindOptions& finding,
                       const TrackOptions& tracking = {}, Progress& progress = no_progress());

}  // namespace longshot
