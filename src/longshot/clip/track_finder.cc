// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/track_finder.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

constexpr std::size_t kFramesAtOnce = 4;

std::vector<ClipFrame> next_frames(ClipReader& clip) {
  std::vector<ClipFrame> frames;
  while (frames.size() < kFramesAtOnce) {
    std::optional<ClipFrame> frame = clip.next();
    if (!frame) break;
    frames.push_back(std::move(*frame));
  }
  return frames;
}

}  // namespace

ClipTracks find_tracks(const std::filesystem::path& path, const ClipOptions& clip,
                       const std::filesystem::path& detector, const FindOptions& finding,
                       const TrackOptions& tracking, Progress& progress) {
  finding.check();
  const std::shared_ptr<const FaceFinder> finder = shared_finder(detector);
  const std::unique_ptr<ClipReader> reader = open_clip(path, clip);
  Tracker tracker(tracking);
  ClipTracks found;
  ProgressScope scope(progress, "Looking at " + path.filename().string(),
                      std::max<Index>(reader->stated_frames(), 1));
  try {
    Index told = 0;
    for (std::vector<ClipFrame> frames = next_frames(*reader); !frames.empty();
         frames = next_frames(*reader)) {
      std::vector<std::vector<FoundFace>> faces(frames.size());
      parallel_for(static_cast<Index>(frames.size()), [&](Index i) {
        const auto at = static_cast<std::size_t>(i);
        faces[at] = finder->find(frames[at].image, finding);
      });
      for (std::size_t i = 0; i < frames.size(); ++i) tracker.add(frames[i], faces[i]);
      found.frames += static_cast<Index>(frames.size());
      // A clip may have more frames than it says.
      const Index done = std::min(reader->passed(), std::max<Index>(reader->stated_frames(), 1));
      scope.advance(done - told);
      told = done;
    }
  } catch (const Error& error) {
    if (found.frames == 0) throw;
    found.cut_short = error.what();
  } catch (const Cancelled&) {
    if (found.frames == 0) throw;
    found.cut_short = fmt::format("Stopped after {} frames.", found.frames);
  }
  found.tracks = tracker.finish();
  return found;
}

}  // namespace longshot
