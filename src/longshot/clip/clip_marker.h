// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "longshot/clip/clip_reader.h"
#include "longshot/core/progress.h"
#include "longshot/image/drawing.h"

namespace longshot {

struct MarkedClip {
  Index frames = 0;       // that were written
  std::string cut_short;  // why the rest is missing, one sentence; empty if it is not
};

// Writes the frames of a clip as Motion JPEG (.avi), each with its marks, so many a second. One
// frame is in memory at a time. The clip gets its name when it is whole, and only its owner may
// read it; where the user asks to stop or the clip turns out to be damaged, what was written till
// then is kept. Throws Error if it cannot be written, or has no frame.
MarkedClip mark_clip(ClipReader& clip, const std::filesystem::path& out, double rate,
                     const std::function<std::vector<FaceMark>(const ClipFrame&)>& marks_of,
                     Index most_frames = std::numeric_limits<Index>::max(),
                     Progress& progress = no_progress());

}  // namespace longshot
