// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/search/soft_subspace_block.h"

namespace longshot {

struct SoftSubspaceOptions {
  Index dimensions = 12;  // of a person's subspace at most, >= 1
  double spread = 1.0;    // variance along the subspace, in units of the samples' own, > 0
  double nearest = 3.0;   // weight of the angle to the nearest sample, >= 0

  void check() const;
};

// Of samples in columns (d x m).
SoftSubspace learn_soft_subspace(const MatrixRef& samples, const SoftSubspaceOptions& options);

}  // namespace longshot
