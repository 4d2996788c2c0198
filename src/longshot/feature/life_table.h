// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "longshot/feature/gradient_orientations.h"

namespace longshot {

// How gradients of faces differ between people, and between photographs of one person that were
// taken on different days: learnt from photographs by training/ (docs/method.md, "Another day").
struct LifeTable {
  // For crops of one size: in y = directions (basis f - mean), f being the features of a crop,
  // photographs of one person differ by I and people by diag(between).
  struct Entry {
    Size size;
    Vector mean;        // K
    Vector between;     // M
    Matrix directions;  // M x K
  };

  GradientOptions gradients;
  Matrix basis;  // K x D, orthonormal rows
  std::vector<Entry> entries;

  // The entry whose size is nearest in the logarithm of its pixels.
  const Entry& nearest(Size size) const;
};

// Throws Error for bytes that are no such table.
LifeTable decode_life_table(std::string_view bytes);

// The one that is built in.
const LifeTable& life_table();

}  // namespace longshot
