// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"

namespace longshot {

// Numbers in single precision that lie elsewhere, column by column.
struct MatrixView {
  const float* values = nullptr;
  Index rows = 0;
  Index cols = 0;

  Index size() const { return rows * cols; }
  Eigen::Map<const MatrixF> map() const { return {values, rows, cols}; }
};

}  // namespace longshot
