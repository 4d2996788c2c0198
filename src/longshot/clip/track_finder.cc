// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/track_finder.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "longshot/clip/changed_places.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

// A search takes as long as many glances, the longer the more pixels are not what they were; and
// hardly anybody who walks by is gone within a second.
double seconds_between_searches(double changed) {
  return std::min(1.0, 0.1 + 0.4e-6 * changed);
}

// The same of searches of the whole frame, which find who stands still and was missed: small frames
// are searched as a whole each time, those of 1080p every two seconds.
double seconds_between_wholes(Size frame) {
  const double megapixels = 1e-6 * static_cast<double>(frame.pixels());
  return std::min(4.0, 0.1 + 0.45 * megapixels * megapixels);
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
    if (!new_picture && frame.seconds < next_search_) {
      tracker_.add(frame, faces_at(frame.image, expected, finding_));
      return;
    }
    const bool whole = new_picture || frame.seconds >= next_whole_;
    if (whole) next_whole_ = frame.seconds + seconds_between_wholes(size_of(frame.image));
    const SearchArea area = changes_.look_at(frame.image, whole);
    const double changed = changes_.share() * static_cast<double>(frame.image.size());
    next_search_ = frame.seconds + seconds_between_searches(changed);
    tracker_.add(frame, finder_.find(frame.image, finding_, expected, area));
  }

  std::vector<FaceTrack> finish() { return tracker_.finish(); }

 private:
  const FaceFinder& finder_;
  FindOptions finding_;
  Tracker tracker_;
  ChangedPlaces changes_;
  double next_search_ = 0.0;
  double next_whole_ = 0.0;
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
