// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/sparse/dictionary_learning.h"

namespace longshot {

// K-SVD (Aharon, Elad and Bruckstein, 2006): min |X - D G|^2 with at most T0 nonzeros in each
// column of G, Shekhar et al., eq. (4); the constraint |d_j| = 1 is missing there. The objective
// never rises from one sweep to the next, and there is no randomness.

enum class KsvdUpdate {
  kExact,        // best rank-one approximation of the residual of an atom's users
  kApproximate,  // one power iteration towards it (Rubinstein, Zibulevsky and Elad, 2008)
};

struct KsvdOptions : LearningOptions {
  KsvdUpdate update = KsvdUpdate::kExact;
};

struct KsvdResult {
  Matrix dictionary;  // d x K, columns of unit norm; K is at most options.atoms
  Matrix codes;       // K x m
  LearningSummary summary;
};

KsvdResult ksvd(const MatrixRef& samples,  // d x m, one sample per column
                const KsvdOptions& options);

}  // namespace longshot
