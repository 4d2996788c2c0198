// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "longshot/clip/tracker.h"
#include "longshot/core/random.h"
#include "longshot/image/align.h"
#include "longshot/synthetic/synthetic_clip.h"

namespace longshot {

// What a detector that errs by `error` (in eye distances) would find of these people.
inline std::vector<FoundFace> detected(const std::vector<ClipTruth>& truth, double error,
                                       Random& random) {
  std::vector<FoundFace> faces;
  for (const ClipTruth& one : truth) {
    if (one.hidden) continue;
    const double off = error * eye_distance(one.eyes);
    FoundFace face;
    face.eyes = one.eyes;
    for (Point* eye : {&face.eyes.left, &face.eyes.right}) {
      eye->x += off * random.normal();
      eye->y += off * random.normal();
    }
    face.box = box_of_eyes(face.eyes);
    face.likeness = 0.9;
    face.quality = 0.5;
    faces.push_back(face);
  }
  return faces;
}

inline void show(Tracker& tracker, const ClipFrame& frame, const std::vector<FoundFace>& faces) {
  tracker.advance(frame);
  tracker.add(frame, faces);
}

struct WalkedTracks {
  std::vector<FaceTrack> tracks;
  std::vector<ClipTruth> truth;

  // Whom a tracked face shows.
  std::string person(const TrackedFace& face) const {
    std::string nearest;
    double least = 1e9;
    for (const ClipTruth& one : truth) {
      if (one.frame != face.frame || one.hidden) continue;
      const double off = std::hypot(one.eyes.left.x - face.face.eyes.left.x,
                                    one.eyes.left.y - face.face.eyes.left.y);
      if (off < least) {
        least = off;
        nearest = one.person;
      }
    }
    return nearest;
  }
};

inline WalkedTracks tracks_of(const SyntheticClipOptions& options, double error) {
  SyntheticClip clip(options);
  Tracker tracker;
  Random random(9);
  WalkedTracks walked;
  for (Index k = 0; k < clip.frames(); ++k) {
    std::vector<ClipTruth> here;
    const Image image = clip.frame(k, here);
    show(tracker, {k, static_cast<double>(k) / 25.0, image}, detected(here, error, random));
    walked.truth.insert(walked.truth.end(), here.begin(), here.end());
  }
  walked.tracks = tracker.finish();
  return walked;
}

}  // namespace longshot
