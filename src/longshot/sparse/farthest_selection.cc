// SPDX-License-Identifier: Apache-2.0
#include "longshot/sparse/farthest_selection.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace longshot {
namespace {

// Samples whose squared sine is below this are copies of each other up to rounding.
constexpr double kParallel = 1.0 - 1e-13;
// Squared norm, relative to the largest, below which a sample counts as zero.
constexpr double kZeroSample = 1e-24;
// Normalised samples differ in norm by rounding alone, which must not decide where to start.
constexpr double kEqualNorm = 1.0 - 1e-9;

}  // namespace

std::vector<Index> farthest_selection(const MatrixRef& gram, Index count) {
  const Index m = gram.rows();
  assert(gram.cols() == m);
  std::vector<Index> chosen;
  if (m == 0 || count < 1) return chosen;
  const double largest = gram.diagonal().maxCoeff();
  if (!(largest > 0.0)) return chosen;
  Index last = 0;
  while (gram(last, last) < kEqualNorm * largest) ++last;

  // Largest |cosine| to a chosen sample; infinite for a sample that is out of the running.
  Vector closeness = Vector::Zero(m);
  for (Index j = 0; j < m; ++j)
    if (!(gram(j, j) > kZeroSample * largest)) closeness[j] = std::numeric_limits<double>::max();
  while (true) {
    chosen.push_back(last);
    closeness[last] = std::numeric_limits<double>::max();
    if (static_cast<Index>(chosen.size()) == std::min(count, m)) break;
    for (Index j = 0; j < m; ++j) {
      const double norms = std::sqrt(gram(j, j) * gram(last, last));
      if (norms > 0.0) closeness[j] = std::max(closeness[j], std::abs(gram(j, last)) / norms);
    }
    if (closeness.minCoeff(&last) > kParallel) break;
  }
  return chosen;
}

}  // namespace longshot
