// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "longshot/core/matrix.h"
#include "longshot/image/image.h"
#include "longshot/image/shift.h"

namespace longshot {

// A camera of which everything is known, to test what is learnt of one. From a sharp face x it
// makes the crop JPEG(gain d(x)^gamma + offset + noise): d moves the face, blurs it and takes the
// mean over each pixel; the gain is that of the exposure, the same for all crops.
struct SimulatedCamera {
  Registration registration;
  double blur = 0.5;      // deviation of the Gaussian, pixels of the crop, 0 to 10
  double gamma = 1.0;     // 0.1 to 10
  double exposure = 0.4;  // mean brightness of all its crops without the offset, 0.01 to 1
  double offset = 0.0;    // full scale 1, -1 to 1
  double noise = 0.0;     // deviation, full scale 1, 0 to 1
  int jpeg_quality = 0;   // 1 to 100; 0: not compressed, only rounded to 8 bits

  // Throws Error, naming the field, for what cannot be.
  void check() const;
};

// What random cameras are like; each value is drawn evenly between its bounds.
struct CameraRange {
  double shift = 0.06;  // largest, either way, in widths and heights of the crop
  double scale = 0.08;  // largest logarithm of the magnification, either way
  double blur[2] = {0.3, 0.9};
  double gamma[2] = {0.6, 1.6};
  double exposure[2] = {0.3, 0.5};
  double offset[2] = {0.0, 0.08};
  double noise[2] = {0.0, 0.03};
  int jpeg_quality[2] = {60, 95};
};

// The same framing and tone with less of what nobody can undo: noise, compression and the blur
// beyond its least come in a fraction `harm` (0 to 1) of the range. Throws Error outside of that.
CameraRange gentler_range(double harm);

// Camera number `number` of the series `seed`; always the same one.
SimulatedCamera random_camera(std::uint64_t seed, std::uint64_t number,
                              const CameraRange& range = {});

// What it shows of sharp faces of size `high` (N_H x n, one per column): pixels of `low` x n.
// Column k has the noise stream k of the seed.
Matrix take_crops(const SimulatedCamera& camera, const MatrixRef& faces, Size high, Size low,
                  std::uint64_t seed);

}  // namespace longshot
