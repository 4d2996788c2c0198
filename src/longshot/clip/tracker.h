// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "longshot/clip/clip_reader.h"
#include "longshot/clip/face_motion.h"
#include "longshot/clip/face_track.h"

namespace longshot {

struct TrackOptions {
  double longest_gap = 0.6;  // seconds that a face may be unseen, > 0
  Index fewest_faces = 3;    // of a track; shorter ones are left out, >= 1
  Index most_faces = 48;     // that are kept of a track: the best ones, >= 1
  // Mean probability of being a face, 0 to 1. What looks like one by chance, such as a pattern on a
  // wall, does so less and less often from frame to frame.
  double least_face = 0.85;
  double least_likeness = 0.4;  // of two views of one face, correlation, -1 to 1

  void check() const;
};

// Links the faces of one frame after the other. A face belongs to the track that expects one of its
// size at its place (FaceMotion) and looks like it. Where two tracks could be meant about equally
// well, both end: a track that ends too early does no harm, and two people in one do. A cut ends
// all tracks.
class Tracker {
 public:
  explicit Tracker(const TrackOptions& options = {});

  // Goes on to the next frame. True if another picture begins with it, the first or after a cut.
  bool advance(const ClipFrame& frame);
  // Where the faces of all tracks are to be expected on that frame: at one place, or at several
  // around it while the speed of a face is hardly known.
  std::vector<Eyes> expected(const ClipFrame& frame) const;
  // Links the faces of that frame.
  void add(const ClipFrame& frame, const std::vector<FoundFace>& faces);
  // All tracks, by their first frame, aligned. Afterwards there are none.
  std::vector<FaceTrack> finish();

 private:
  // A track that goes on: what it expects, and what it looks like.
  struct Open {
    FaceTrack track;
    Index seen = 0;  // faces, also those that were not kept
    Index first = 0;
    FaceMotion motion;
    Eyes eyes;  // where they were last
    Image look;
  };
  // A possible link of a track and a face.
  struct Link {
    double cost = 0.0;
    std::size_t track = 0;
    std::size_t face = 0;
  };

  double cost(const Open& open, const TrackedFace& face, const Image& look) const;
  std::vector<Link> links(const std::vector<TrackedFace>& faces,
                          const std::vector<Image>& looks) const;
  void start(TrackedFace face, const Image& look);
  void extend(Open& open, TrackedFace face, const Image& look);
  void close(const Open& open);
  bool is_cut(const Image& frame);

  TrackOptions options_;
  std::vector<Open> open_;
  std::vector<std::pair<Index, FaceTrack>> closed_;  // with the first frame
  Image view_;                                       // the last frame, very small
};

}  // namespace longshot
