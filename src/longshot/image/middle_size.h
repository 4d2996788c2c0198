// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/image/image.h"

namespace longshot {

// The middle one by number of pixels, the smaller of two: what several faces of different sizes are
// brought to. Throws Error for none.
inline Size middle_size(std::vector<Size> sizes) {
  if (sizes.empty()) throw Error("There is no face whose size could be taken.");
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>((sizes.size() - 1) / 2);
  std::nth_element(sizes.begin(), middle, sizes.end(),
                   [](Size a, Size b) { return a.pixels() < b.pixels(); });
  return *middle;
}

}  // namespace longshot
