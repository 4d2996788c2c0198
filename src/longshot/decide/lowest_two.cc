// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/lowest_two.h"

#include <algorithm>

namespace longshot {

LowestTwo lowest_two(const VectorRef& distances, Index without) {
  LowestTwo two;
  for (Index i = 0; i < distances.size(); ++i) {
    if (i == without) continue;
    const double distance = distances(i);
    if (distance < two.first) {
      two = {i, distance, two.first};
    } else {
      two.second = std::min(two.second, distance);
    }
  }
  return two;
}

}  // namespace longshot
