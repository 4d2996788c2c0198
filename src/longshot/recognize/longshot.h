// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/recognize/degradation_bank.h"
#include "longshot/recognize/life_parts.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/recognize/soft_subspace.h"
#include "longshot/recognize/whitening.h"

namespace longshot {

// How a probe's degradation is found out.
enum class DegradationChoice {
  kNone,   // it is taken to be the gallery's, with little noise
  kProbe,  // for each probe alone
  kBatch,  // once for all probes that are searched together, as from one camera
};

struct LongshotOptions {
  WhiteningOptions whitening;  // for probes with little noise
  SoftSubspaceOptions person;
  DegradationChoice choice = DegradationChoice::kProbe;
  bool relit_samples = true;  // false: the photos alone, as a control
  bool life = true;           // false: pixels alone
  // Of the log-likelihood ratios of life_space.h beside the logarithm of the pixels' distance, >=
  // 0. Nothing: what suits the size and, as tuned, the training people.
  std::optional<double> life_weight;
  // Chooses normalisation, spread and the weight of the nearest sample by cross-validation.
  bool tune = true;

  void check() const;
};

// Our own method. Pixels: one soft subspace per person in features whitened by what may differ
// between two images of a person under other lights. There are three indexes, whitened for little,
// some and much noise; the bank tells which one a probe belongs to. Gradients and
// network: how likely two photographs of different days show one person. All are fused as
// fused_scorer.h says.
class Longshot final : public Recognizer {
 public:
  explicit Longshot(const LongshotOptions& options);

  std::string name() const override { return options_.life ? "longshot" : "longshot-pixels"; }
  bool tells_days_apart() const override { return !life_.empty(); }
  void learn(const TrainingSet& training) override;
  // Parts, for each index i: mean<i> d x 1, basis<i> d x k, shrinkage<i> k x 1, offset<i> 1 x 1,
  // samples<i> (k + 2) x m. One more for each part of faces in life: 2 d + 1
  // coefficients.
  Template enrol(const PersonImages& person) const override;
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const LongshotOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  LongshotOptions options_;           // as given
  LongshotOptions settings_;          // in use: tuned or restored
  std::vector<FeatureSpace> spaces_;  // one per index
  DegradationBank bank_;
  std::vector<LifePart> life_;
};

}  // namespace longshot
