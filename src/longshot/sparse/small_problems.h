// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "longshot/core/matrix.h"
#include "longshot/core/random.h"

// Small synthetic problems shared by the tests and benchmarks of the solvers.
namespace longshot::small_problems {

// rows x cols, independent standard normal values.
inline Matrix gaussian(Index rows, Index cols, std::uint64_t seed) {
  Random random(seed);
  Matrix matrix(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) matrix(i, j) = random.normal();
  return matrix;
}

// d x K, columns of unit norm.
inline Matrix unit_dictionary(Index d, Index atoms, std::uint64_t seed) {
  Matrix dictionary = gaussian(d, atoms, seed);
  dictionary.colwise().normalize();
  return dictionary;
}

// d x m, like one person's relit features: unit norm, energy falling off over the directions, a
// little noise. The defaults are the size of the paper's PIE experiment at 7 x 6 pixels.
inline Matrix person(std::uint64_t seed, Index d = 41, Index m = 20) {
  const Index rank = std::min<Index>(d, 14);
  Matrix basis = gaussian(d, rank, seed);
  for (Index k = 0; k < rank; ++k) basis.col(k) *= std::pow(0.75, static_cast<double>(k));
  Matrix samples = basis * gaussian(rank, m, seed + 1000) + 0.02 * gaussian(d, m, seed + 2000);
  samples.colwise().normalize();
  return samples;
}

}  // namespace longshot::small_problems
