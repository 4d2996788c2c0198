// SPDX-License-Identifier: Apache-2.0
#include "longshot/search/matches.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace longshot {

Matches nearest_people(const MatrixRef& distances, Index top) {
  const Index people = distances.rows();
  const Index kept = std::min(top, people);
  Matches matches;
  matches.people.resize(kept, distances.cols());
  matches.distances.resize(kept, distances.cols());
  std::vector<Index> order(static_cast<std::size_t>(people));
  for (Index j = 0; j < distances.cols(); ++j) {
    std::iota(order.begin(), order.end(), Index{0});
    const auto nearer = [&](Index a, Index b) {
      const double to_a = distances(a, j);
      const double to_b = distances(b, j);
      return to_a < to_b || (to_a == to_b && a < b);
    };
    std::partial_sort(order.begin(), order.begin() + kept, order.end(), nearer);
    for (Index k = 0; k < kept; ++k) {
      matches.people(k, j) = order[static_cast<std::size_t>(k)];
      matches.distances(k, j) = distances(matches.people(k, j), j);
    }
  }
  return matches;
}

}  // namespace longshot
