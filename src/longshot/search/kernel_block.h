// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "longshot/search/matrix_view.h"
#include "longshot/search/person_rows.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// What is kept of a person of a method with an RBF kernel exp(-|x - y|^2 / c). The residual
// 1 - |W k|^2 of the kernel's projection W, with k the kernel of the probe with the samples, is a
// small difference of large numbers when the kernel is wide. W times any rotation gives the same,
// so W is turned until all its rows but the first one sum to zero; with e = k - 1, which can be
// computed without loss, and a the sum of the first row,
//   1 - |W k|^2 = (1 - a^2) - 2 a w_0'e - |W e|^2,
// in which nothing large is left.
struct KernelPerson {
  Matrix samples;     // d x m
  Matrix projection;  // m x K: the rows of the turned W
  double sum = 0.0;   // a
  double rest = 0.0;  // 1 - a^2
};

// Turns W (K x m).
KernelPerson make_kernel_person(const MatrixRef& samples, const MatrixRef& projection);

// The same as it is stored.
struct KernelRows {
  MatrixView samples;
  MatrixView projection;
  float sum = 0.0F;
  float rest = 0.0F;
};

// People of a kernel method; the distance is the residual, not below 0.
class KernelBlock final : public PersonScorer {
 public:
  KernelBlock(Index dimensions, double c) : dimensions_(dimensions), c_(c) {}

  // People [first, last) make way for others.
  void replace(Index first, Index last, std::span<const KernelRows> others);
  Index bytes() const { return rows_.bytes(); }

  Index people() const override { return rows_.people(); }
  void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                  float* out) const override;
  void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                   float* out) const override;
  Vector distances(Index person, const MatrixRef& features) const override;
  double far() const override { return 1.0; }

 private:
  struct Shape {
    Index samples = 0;
    Index atoms = 0;
    double sum = 0.0;
    double rest = 0.0;
  };
  // Samples with -|x|^2 / 2 and 1 as last coordinates, so that a product with a probe is minus half
  // of the squared distance.
  Panels samples_of(Index person) const;
  Panels projection_of(Index person) const;
  Shape pack(const KernelRows& person, float* values) const;

  Index dimensions_;
  double c_;
  Index most_samples_ = 0;
  Index most_atoms_ = 0;
  PersonRows<Shape> rows_;
};

}  // namespace longshot
