// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// Statistics of fewer people than this would tell something about each of them.
inline constexpr Index kFewestPeople = 20;

}  // namespace longshot
