// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/baseline/nearest.h"

namespace longshot {

struct PcaNearestOptions {
  bool extended = false;  // enrol the relit images instead of the photos
  FeatureOptions feature;
  NearestMetric metric = NearestMetric::kEuclidean;
  bool tune = true;  // chooses the metric by cross-validation on the training people

  void check() const { feature.check(); }
};

// Nearest neighbour in PCA features at the low resolution (Turk and Pentland's eigenfaces). Without
// training people the features are the normalised pixels.
class PcaNearest final : public NearestRecognizer {
 public:
  explicit PcaNearest(const PcaNearestOptions& options);

  std::string name() const override { return settings_.extended ? "pca-ext" : "pca"; }
  void learn(const TrainingSet& training) override;

  const PcaNearestOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  PcaNearestOptions options_;   // as given
  PcaNearestOptions settings_;  // in use: tuned or restored
};

}  // namespace longshot
