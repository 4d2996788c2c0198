// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "longshot/core/matrix.h"

namespace longshot {

// Farther than anybody.
inline constexpr double kNobody = std::numeric_limits<double>::infinity();

// The two lowest of a probe's distances, the row `without` (-1: none) left out.
struct LowestTwo {
  Index row = -1;           // of the first, the earlier one of equals; -1 where there is none
  double first = kNobody;   // infinity where there is none
  double second = kNobody;  // likewise
};

LowestTwo lowest_two(const VectorRef& distances, Index without = -1);

}  // namespace longshot
