// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

// Synthetic people who walk towards a camera, `together` at a time. Those who walk together cross
// each other's path; who is nearer hides who is farther. Each walk has a patterned ground of its
// own, so that the clip is cut between them.
struct SyntheticClipOptions {
  Index people = 20;       // 1 to 10,000
  Index first = 0;         // number of the first one in the population, >= 0
  std::uint64_t seed = 1;  // of the population
  Size size = {240, 426};  // of a frame, 100x100 to 4000x4000
  Index walk = 40;         // frames of one walk, 2 to 10,000
  Index together = 2;      // people of one walk, 1 to 10
  double far = 3.5;        // pixels between the eyes at the beginning of a walk, 2 to 100
  double near = 7.0;       // and at its end, from `far` to 100
  double noise = 0.02;     // deviation of each pixel of each frame, full scale 1, 0 to 0.5

  void check() const;
};

// Where somebody is on a frame, and whether the face is hidden there.
struct ClipTruth {
  Index frame = 0;
  std::string person;  // "person_00007", as in write_synthetic_set()
  Eyes eyes;
  bool hidden = false;
};

// Makes the frames one after the other; always the same ones.
class SyntheticClip {
 public:
  explicit SyntheticClip(const SyntheticClipOptions& options);

  Index frames() const;
  // Any frame, and who is on it.
  Image frame(Index number, std::vector<ClipTruth>& truth);

 private:
  // Somebody on the way: seen in a few views that follow each other.
  struct Walker {
    std::string name;
    std::vector<SyntheticPhoto> views;
    double start_x = 0.0;  // of the middle of the eyes, pixels
    double end_x = 0.0;
    double y = 0.0;
    double depth = 1.0;  // factor on all sizes
  };

  void start_walk(Index walk);
  void draw(const Walker& walker, Index step, Image& frame) const;
  Eyes eyes_of(const Walker& walker, Index step) const;

  SyntheticClipOptions options_;
  Image ground_;
  Index walk_ = -1;
  std::vector<Walker> walkers_;
};

std::string to_csv(const std::vector<ClipTruth>& truth, double rate);

}  // namespace longshot
