// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/track_finder.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// A search takes as long as many glances, the longer the more pixels there are; and nobody who
// walks by is gone within half a second.
double seconds_between_searches(Size frame) {
  return std::min(0.5, 0.1 + 0.2e-6 * static_cast<double>(frame.pixels()));
}

// Looks for the faces of one frame after the other.
class FrameWatcher {
 public:
  FrameWatcher(const FaceFinder& finder, const FindOptions& finding, const TrackOptions& tracking)
      : finder_(finder), finding_(finding), tracker_(tracking) {
    finding_.again = false;
  }

  void look_at(const ClipFrame& frame) {
    const bool new_picture = tracker_.advance(frame);
    const std::vector<Eyes> expected = tracker_.expected(frame);
    if (new_picture || frame.seconds >= next_search_) {
      next_search_ = frame.seconds + seconds_between_searches(size_of(frame.image));
      tracker_.add(frame, finder_.find(frame.image, finding_, expected));
    } else {
      tracker_.add(frame, faces_at(frame.image, expected, finding_));
    }
  }

  std::vector<FaceTrack> finish() { return tracker_.finish(); }

 private:
  const FaceFinder& finder_;
  FindOptions finding_;
  Tracker tracker_;
  double next_search_ = 0.0;
};

}  // namespace

ClipTracks find_tracks(const std::filesystem::path& path, const ClipOptions& clip,
                       const std::filesystem::path& detector, const FindOptions& finding,
                       const TrackOptions& tracking, Progress& progress) {
  finding.check();
  const std::shared_ptr<const FaceFinder> finder = shared_finder(detector);
  const std::unique_ptr<ClipReader> reader = open_clip(path, clip);
  FrameWatcher watcher(*finder, finding, tracking);
  ClipTracks found;
  const Index stated = std::max<Index>(reader->stated_frames(), 1);
  ProgressScope scope(progress, "Looking at " + path.filename().string(), stated);
  try {
    Index told = 0;
    while (const std::optional<ClipFrame> frame = reader->next()) {
      watcher.look_at(*frame);
      ++found.frames;
      const Index done = std::min(reader->passed(), stated);  // there may be more than it says
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
  found.tracks = watcher.finish();
  return found;
}

}  // namespace longshot
