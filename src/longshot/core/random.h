// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// Deterministic random numbers: xoshiro256++ (Blackman and Vigna, 2019) seeded by splitmix64.
// The standard library's distributions differ between implementations, so ours are written out.
// Work that runs in parallel takes one stream per item, so that the thread count changes nothing.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  double uniform();                         // in [0, 1)
  double uniform(double low, double high);  // in [low, high)
  Index below(Index count);                 // in [0, count), unbiased
  double normal();                          // mean 0, variance 1
  std::vector<Index> permutation(Index count);

 private:
  std::array<std::uint64_t, 4> state_;
  double spare_normal_ = 0.0;
  bool has_spare_normal_ = false;
};

}  // namespace longshot
