// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/image/degrade.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

// Histograms of local binary patterns (Ahonen, Hadid and Pietikainen, PAMI 2006).

inline constexpr int kLbpLabels = 59;  // 58 uniform patterns of 8 bits, and one for all others

// Codes of 8 neighbours on a circle around every pixel that is at least `radius` from the border:
// bit k is set if the neighbour at 45 k degrees, counted from the right upwards, is not darker.
// Neighbours between pixels are interpolated. (rows - 2 radius) x (cols - 2 radius).
Eigen::MatrixXi lbp_codes(const Image& image, Index radius);

// 0 .. 57 for a code whose bits change at most twice around the circle, in order of the codes; 58
// for the others.
int uniform_lbp_label(int code);

// Sum of (a - b)^2 / (a + b), empty bins left out.
double chi_square(const VectorRef& a, const VectorRef& b);

struct LbphOptions {
  Index radius = 2;  // pixels of the high resolution, 1 or 2
  Size cells = {6, 5};
  // Gallery photos are brought to the low resolution and enlarged, as probes are; otherwise they
  // stay sharp.
  bool degraded = true;
  bool tune = true;  // chooses the radius by cross-validation on the training people

  void check() const;
};

// One histogram per cell, of sum 1, one after the other: 59 cells.pixels() values.
Vector lbp_histograms(const Image& image, Index radius, Size cells);

// Probes are enlarged to the high resolution by bicubic interpolation; the distance is chi-square
// over all cells, in [0, 1], to the nearest photo of a person.
class Lbph final : public Recognizer {
 public:
  explicit Lbph(const LbphOptions& options);

  std::string name() const override { return "lbph"; }
  void learn(const TrainingSet& training) override;
  Template enrol(const PersonImages& person) const override;  // parts: histograms, one per photo
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const LbphOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  LbphOptions options_;   // as given
  LbphOptions settings_;  // in use: tuned or restored
  Size high_;
  Size low_;
};

}  // namespace longshot
