// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// The nearest people of each probe, nearest first; equally near people in order of enrolment.
struct Matches {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> people;  // top x probes
  Matrix distances;                                             // top x probes
};

// The `top` nearest (at most all) of a people x probes matrix of distances.
Matches nearest_people(const MatrixRef& distances, Index top);

}  // namespace longshot
