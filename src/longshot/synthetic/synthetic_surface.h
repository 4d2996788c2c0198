// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <Eigen/Core>

#include "longshot/core/matrix.h"
#include "longshot/synthetic/synthetic_person.h"

namespace longshot {

// What synthetic_photo.cc shades: a person's head, neck and surroundings, seen from the front and
// sampled on a grid of square cells.

// Single precision: a photo has 8 bits, and twice as many cells fit into a register.
using Plane = Eigen::ArrayXXf;  // rows x cols, row 0 at the top

// Where the cells are, in the coordinates of relight/face_shape.h.
struct SurfaceGrid {
  double left = 0.0;  // x of the left border
  double top = 0.0;   // y of the upper border
  double pitch = 0.0;
  Index rows = 0;
  Index cols = 0;
};

// What a person does with the face from photo to photo.
struct Expression {
  double mouth_open = 0.0;   // gap between the lips, 0 to 0.15
  double smile = 0.0;        // -0.5 to 1
  double brow_raise = 0.0;   // in eye distances, about -0.03 to 0.05
  double eye_opening = 1.0;  // factor, 0.5 to 1.2
  double gaze_x = 0.0;       // shift of the irises, -0.06 to 0.06
  double gaze_y = 0.0;
};

struct Surroundings {
  double background = 0.4;  // brightness, 0 to 1
  double gradient = 0.1;    // change of it per eye distance to the right
  double clothes = 0.3;     // albedo
  std::uint64_t key = 0;    // of the background's pattern
};

struct FaceSurface {
  Plane relief;    // of the face, in eye distances, continued smoothly beyond it: for parallax
  Plane height;    // of everything: for cast shadows
  Plane slope_x;   // dz/dx
  Plane slope_y;   // dz/dy, y up
  Plane albedo;    // 0 to 1; 0 on the background
  Plane gloss;     // strength of the highlight
  Plane backdrop;  // light of the background, which ours does not reach; 0 on the person
};

FaceSurface make_surface(const SyntheticPerson& person, const Expression& expression,
                         const Surroundings& surroundings, const SurfaceGrid& grid);

}  // namespace longshot
