// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

#include "longshot/core/matrix.h"

namespace longshot {

inline Vector values(std::initializer_list<double> list) {
  return Eigen::Map<const Vector>(list.begin(), static_cast<Index>(list.size()));
}

}  // namespace longshot
