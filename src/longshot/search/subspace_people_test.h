// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/search/random_values_test.h"
#include "longshot/search/subspace_block.h"

namespace longshot {

// For tests: one person more.
inline void add_subspace(SubspaceBlock& block, const Matrix& basis, const Vector& mean) {
  const MatrixF stored_basis = basis.cast<float>();
  const MatrixF stored_mean = mean.cast<float>();
  const SubspaceRows rows = {view_of(stored_basis), view_of(stored_mean)};
  block.replace(block.people(), block.people(), {&rows, 1});
}

}  // namespace longshot
