// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "longshot/faces.h"
#include "longshot/options.h"
#include "longshot/picture.h"

namespace longshot::v0 {

struct ClipOptions {
  std::ptrdiff_t every = 1;                              // of its frames so many, >= 1
  double begin = 0.0;                                    // seconds, >= 0
  double end = std::numeric_limits<double>::infinity();  // seconds, >= begin
  // Of a frame. Smaller faces take more time: half the distance four times as much.
  FaceOptions faces = {{}, 6.0, 0.5};
};

// A face on one frame of a clip.
struct TrackFace {
  std::ptrdiff_t frame = 0;  // number, from 0
  double time = 0.0;         // seconds from the beginning of the clip
  FoundFace face;
  double weight = 0.0;  // how much it tells compared with the others of its track, 0 to 1
};

// One person, as far as it can be told, from frame to frame, for Gallery::identify_tracks().
struct LONGSHOT_API Track {
  std::string source;         // the clip
  std::ptrdiff_t number = 0;  // in it, from 1
  std::vector<TrackFace> faces;

  // The faces as grey crops, upright, laid on each other, at their own size.
  std::vector<Plane> crops() const;

  struct Value;
  std::shared_ptr<const Value> value;  // for the library itself
};

struct ClipTracks {
  std::vector<Track> tracks;  // by their first frame
  std::ptrdiff_t frames = 0;  // that were looked at
  std::string cut_short;      // why the rest is missing, one sentence; empty if it is not
};

// A file that is named like a clip (.mp4, .avi, .mkv, ...), or a folder of three images or more
// that are named "frame..." and a number; with `any_word`, of whatever word and a number.
LONGSHOT_API bool is_clip(const std::filesystem::path& path, bool any_word = false);

// Follows the faces of a clip from frame to frame. It is decoded once, in a process that can do
// nothing else (docs/security.md). Where the callback cancels, or the clip turns out to be damaged,
// what was found till then is the result. Throws Error if not even one frame can be had.
LONGSHOT_API ClipTracks find_tracks(const std::filesystem::path& path,
                                    const ClipOptions& options = {}, const Progress& progress = {});

struct SyntheticClipOptions {
  std::ptrdiff_t people = 20;   // 1 to 10,000
  Size size = {240, 426};       // of a frame, both even, 100 to 4000
  std::ptrdiff_t walk = 40;     // frames of one walk, 2 to 10,000
  std::ptrdiff_t together = 2;  // people of one walk, who cross, 1 to 10
  double far = 3.5;             // pixels between the eyes at the beginning of a walk, 2 to 100
  double near = 7.0;            // and at its end
  double noise = 0.02;          // deviation of a pixel, full scale 1, 0 to 0.5
  double rate = 25.0;           // frames a second, 0.1 to 1000
  std::uint64_t seed = 1;       // as of write_synthetic_people()
};

// Writes a clip of people who do not exist and walk towards the camera, in Motion JPEG (.avi) or
// H.264 (other extensions), and beside it, with .csv instead, where their eyes are on each frame.
// The people are the first of write_synthetic_people() of that seed. Returns the number of frames.
LONGSHOT_API std::ptrdiff_t write_synthetic_clip(const std::filesystem::path& path,
                                                 const SyntheticClipOptions& options = {},
                                                 const Progress& progress = {});

}  // namespace longshot::v0
