// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "longshot/image/image.h"

namespace longshot {

// The part of an image where faces are looked for: all of it, or some of the squares into which it
// is cut. Those at the right and at the bottom may reach beyond it.
class SearchArea {
 public:
  using Squares = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;

  SearchArea() = default;  // everything
  SearchArea(Squares wanted, Index side);

  // The least box that holds what is wanted of this one; nothing if nothing is.
  std::optional<Box> within(const Box& part) const;

 private:
  Squares wanted_;
  Index side_ = 0;  // pixels; 0: everything is wanted
};

}  // namespace longshot
