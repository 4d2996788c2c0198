// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "longshot/feature/gradient_orientations.h"

namespace longshot {

// What the features of a face are: gradient_orientations.h, life_network.h, or face_network.h where
// one is installed.
enum class LifeFeatures { kGradients = 1, kNetwork = 2, kFaceNetwork = 3 };

// How faces differ between people, and between photographs of one person that were
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

  LifeFeatures features = LifeFeatures::kGradients;
  GradientOptions gradients;
  Matrix basis;  // K x D, orthonormal rows
  std::vector<Entry> entries;

  // The entry whose size is nearest in the logarithm of its pixels.
  const Entry& nearest(Size size) const;
};

// Throws Error for bytes that are no such table.
LifeTable decode_life_table(std::string_view bytes);

// Those that are built in.
const LifeTable& gradient_table();
const LifeTable& network_table();
const LifeTable& face_network_table();

}  // namespace longshot
