// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/sparse/kernel_dictionary.h"

namespace longshot {

// Joint dictionaries of high- and low-resolution pairs that share their codes, Shekhar et al.,
// eq. (13) and Appendix A:
//   min |Phi_H - Phi_H A^H G|^2 + lambda |Phi_L - Phi_L A^L G|^2.
// Given G both minimisers are pinv(G), so A^H = A^L before they are scaled, and the problem is
// kernel dictionary learning with the sum kernel K_H + lambda K_L (docs/method.md, section 7). The
// paper's matrices of twice the size are not needed.

enum class JointNormalisation {
  kJoint,  // atoms of unit norm in the sum kernel while learning: the objective never rises
  kPaper,  // A^H and A^L to unit norm on their own after each update, as printed; the shared codes
           // then fit neither, the objective may rise, and the best sweep is returned
};

struct JointDictionaryOptions : KernelDictionaryOptions {
  // Weight of the low resolution against the high one, > 0. Both kernels are first scaled to a mean
  // diagonal of 1, which an RBF kernel has already.
  double lambda = 1.0;
  JointNormalisation normalisation = JointNormalisation::kJoint;  // kPaper needs kMod
  void check() const;
};

struct JointDictionaryResult {
  Matrix high;         // A^H, m x K: unit norm in K_H
  Matrix low;          // A^L, m x K: unit norm in K_L; what a probe is coded with
  Vector high_scales;  // nuH, K: column k of A^H times nuH_k is the column that fits the codes
  Vector low_scales;   // nuL, K: likewise for A^L
  Matrix codes;        // G, K x m
  LearningSummary summary;
};

// A code g over A^L belongs to the code (nuH / nuL) g over A^H. An atom without length in one of
// the kernels is left unscaled there, with scale 1.
JointDictionaryResult learn_joint_dictionary(const MatrixRef& high_gram,  // K_H, m x m
                                             const MatrixRef& low_gram,   // K_L, m x m
                                             const JointDictionaryOptions& options);

}  // namespace longshot
