// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/search_area.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

namespace longshot {

SearchArea::SearchArea(Squares wanted, Index side) : wanted_(std::move(wanted)), side_(side) {
  assert(side > 0);
}

std::optional<Box> SearchArea::within(const Box& part) const {
  if (side_ == 0) return part;
  const auto side = static_cast<double>(side_);
  // The border belongs to the image, which is continued beyond it.
  const auto first = [side](double from, Index count) {
    return std::clamp<Index>(static_cast<Index>(std::floor(from / side)), 0, count - 1);
  };
  const auto last = [side](double to, Index count) {
    return std::clamp<Index>(static_cast<Index>(std::ceil(to / side)) - 1, 0, count - 1);
  };
  const Index top = first(part.y, wanted_.rows());
  const Index bottom = last(part.y + part.height, wanted_.rows());
  const Index left = first(part.x, wanted_.cols());
  const Index right = last(part.x + part.width, wanted_.cols());
  Index first_row = bottom + 1;
  Index last_row = top - 1;
  Index first_col = right + 1;
  Index last_col = left - 1;
  for (Index c = left; c <= right; ++c) {
    for (Index r = top; r <= bottom; ++r) {
      if (!wanted_(r, c)) continue;
      first_row = std::min(first_row, r);
      last_row = std::max(last_row, r);
      first_col = std::min(first_col, c);
      last_col = std::max(last_col, c);
    }
  }
  if (last_row < first_row) return std::nullopt;
  return Box{side * static_cast<double>(first_col), side * static_cast<double>(first_row),
             side * static_cast<double>(last_col + 1 - first_col),
             side * static_cast<double>(last_row + 1 - first_row)};
}

}  // namespace longshot
