// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "longshot/core/matrix.h"
#include "longshot/image/image.h"

namespace longshot {

// Simultaneous super-resolution and recognition (Hennings-Yeomans, Baker and Kumar, CVPR 2008): for
// a probe y and the features f of a claimed person,
//   x = argmin |B x - y|^2 + alpha^2 |L x|^2 + beta^2 |F x - f|^2,
// L the differences between neighbouring pixels, and the claim is judged by
//   e1 = |B x - y|,  e2 = |L x|,  e3 = |F x - f|.
// As x is linear in y and f, each squared measure is a quadratic form y'P y + 2 y'C f + f'Q f whose
// matrices depend on nobody: one factorisation serves all probes and people.
struct S2r2System {
  static constexpr std::size_t kMeasures = 3;
  std::array<Matrix, kMeasures> probe;    // P, N_L x N_L
  std::array<Matrix, kMeasures> cross;    // C, N_L x p
  std::array<Matrix, kMeasures> gallery;  // Q, p x p

  // e1, e2, e3 of one pair.
  Eigen::Vector3d measures(const VectorRef& probe_low,           // y, N_L
                           const VectorRef& features_of_person)  // f, p
      const;
};

S2r2System make_s2r2_system(const MatrixRef& degradation,  // B, N_L x N_H
                            Size high,                     // of x
                            const MatrixRef& extraction,   // F, p x N_H
                            double alpha, double beta);

// L' L, N_H x N_H.
Matrix squared_differences(Size size);

}  // namespace longshot
