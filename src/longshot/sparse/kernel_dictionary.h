// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/sparse/dictionary_learning.h"

namespace longshot {

// Dictionaries in the feature space of a kernel: the atoms are Phi(X) A, and learning needs only
// the Gram matrix Kx of the samples. Minimises tr((I - A G)' Kx (I - A G)), Shekhar et al.,
// eq. (10) and Appendix A, after Van Nguyen, Patel, Nasrabadi and Chellappa (2012). With a linear
// kernel this is K-SVD.

// Residuals are differences of kernel values, so this much of the squared norm is lost in rounding.
inline constexpr double kKernelRounding = 1e-13;

enum class KernelUpdate {
  kMod,   // A = pinv(G): the paper's update, which does not depend on the kernel
  kKsvd,  // one atom at a time, the best rank-one approximation in feature space
};

struct KernelDictionaryOptions : LearningOptions {
  KernelUpdate update = KernelUpdate::kMod;
};

struct KernelDictionaryResult {
  Matrix coefficients;  // A, m x K: a_k' Kx a_k = 1
  Matrix codes;         // G, K x m
  LearningSummary summary;
};

KernelDictionaryResult learn_kernel_dictionary(const MatrixRef& gram,  // Kx, m x m
                                               const KernelDictionaryOptions& options);

// m x K = pinv(codes), the MOD update. The paper's G' (G G')^-1 does not exist when an atom is
// unused or two have proportional codes; an unused atom gets a zero column here.
Matrix mod_coefficients(const MatrixRef& codes);  // K x m

// A copy of the Gram matrix, made exactly symmetric. Throws Error if it is not a finite, square and
// nearly symmetric matrix with a diagonal >= 0; `name` begins the sentence.
Matrix checked_gram(const MatrixRef& gram, const char* name);  // m x m

}  // namespace longshot
