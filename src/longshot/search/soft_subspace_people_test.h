// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/search/random_values_test.h"
#include "longshot/search/soft_subspace_block.h"

namespace longshot {

// For tests: one person more.
inline void add_soft_subspace(SoftSubspaceBlock& block, const SoftSubspace& person) {
  const MatrixF mean = person.mean.cast<float>();
  const MatrixF basis = person.basis.cast<float>();
  const MatrixF shrinkage = person.shrinkage.cast<float>();
  const MatrixF samples = person.samples.cast<float>();
  const SoftSubspaceRows rows = {view_of(mean), view_of(basis), view_of(shrinkage),
                                 static_cast<float>(person.offset), view_of(samples)};
  block.replace(block.people(), block.people(), {&rows, 1});
}

}  // namespace longshot
