// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "longshot/core/error.h"

namespace longshot {

// Throws Error, naming the field and what it is a field of ("a camera"), unless low <= value <=
// high.
inline void check_range(std::string_view field, std::string_view of, double value, double low,
                        double high) {
  if (!(value >= low && value <= high)) {
    throw Error("{} of {} must be in [{}, {}], not {}.", field, of, low, high, value);
  }
}

}  // namespace longshot
