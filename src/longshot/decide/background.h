// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"
#include "longshot/image/image.h"

namespace longshot {

// People who are not enrolled and stand beside those who are: a probe that is nearest to one of
// them is nobody's, and their own photos show how strangers look to the gallery. So even a gallery
// of one person can say "unknown". They are the training people where there are some, otherwise
// synthetic ones.
struct Background {
  Matrix enrolled;            // N_H x b: one photo of each
  Matrix probes;              // N_H x n: other photos of them
  std::vector<Index> owners;  // n: columns of `enrolled`
  bool real = false;          // training people, not synthetic ones
};

enum class BackgroundParts { kPeople, kPeopleAndProbes };

// The same for the same arguments. `photos` (N_H x n) with their `subjects` (n) are those of the
// training people, in the frame and of the high resolution of the gallery; they count if there are
// at least kFewestPeople people, with as many photos more. Probes take longer and are only needed
// to calibrate.
Background make_background(const FaceFrame& frame, Size high, const MatrixRef& photos,
                           std::span<const int> subjects, BackgroundParts parts);

}  // namespace longshot
