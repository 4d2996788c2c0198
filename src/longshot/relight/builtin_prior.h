// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "longshot/image/face_frame.h"
#include "longshot/relight/albedo.h"
#include "longshot/relight/mean_face.h"

namespace longshot {

// What ships with longshot about the albedo of faces: mean and deviation over people, left-right
// symmetric, for any frame and size. Learnt by `longshot normals --from yaleb:DIR --albedo FILE`
// from the first 19 people of the Extended Yale B set; see docs/method.md, "Built-in statistics".
AlbedoPrior builtin_albedo_prior(const FaceFrame& frame, Size size);

// The C++ source that makes these statistics the built-in ones (builtin_prior_table.cc).
std::string builtin_prior_source(const MeanFaceStatistics& statistics);

// A table over face coordinates (unit: the distance between the eyes; origin between them): columns
// x = 0, step, ... to the right, the same to the left; rows y = top, top - step, ... downwards.
struct BuiltinPriorTable {
  double step = 0.08;
  double top = 1.04;
  Index rows = 39;
  Index cols = 18;
  const short* mean = nullptr;       // thousandths, row by row
  const short* deviation = nullptr;  // thousandths, of the albedo, row by row
};

const BuiltinPriorTable& builtin_prior_table();

}  // namespace longshot
