// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// Deterministic start of dictionary learning (docs/method.md, section 5): first the sample of the
// largest norm (the first of those equal to 1e-9), then again and again the sample whose largest
// |cosine| to those chosen is smallest. Returns fewer than `count` indices when all that is left is
// zero or parallel to a chosen sample.
std::vector<Index> farthest_selection(const MatrixRef& gram,  // m x m, inner products of samples
                                      Index count);

}  // namespace longshot
