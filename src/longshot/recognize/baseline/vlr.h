// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "longshot/recognize/baseline/nearest.h"
#include "longshot/recognize/baseline/training_pairs.h"

namespace longshot {

// Very low resolution recognition by discriminative relationship learning (Zou and Yuen, IEEE
// Transactions on Image Processing 2012): a linear map R from low to high features that minimises
//   mean_i |h_i - R l_i|^2 + g (mean_{i, j same person} |h_i - R l_j|^2
//                               - mean_{i, j different people} |h_i - R l_j|^2).
// The pairs i = j count as the same person.
struct Relationship {
  Matrix map;                   // R, d_H x d_L
  double discrimination = 0.0;  // g as used: halved until the problem is convex, then 0
};

Relationship learn_relationship(const MatrixRef& low,              // d_L x n
                                const MatrixRef& high,             // d_H x n
                                const std::vector<int>& subjects,  // n
                                double discrimination,             // g >= 0
                                double ridge);  // > 0, in units of the mean energy of a feature

struct VlrOptions {
  bool extended = true;  // relit images join the training pairs and are enrolled
  TrainingPairOptions pairs;
  double discrimination = 1.0;  // g >= 0
  double ridge = 1e-3;          // > 0, in units of the mean energy of a low feature
  NearestMetric metric = NearestMetric::kEuclidean;
  bool tune = true;  // chooses the three above by cross-validation on the training people

  void check() const;
};

class Vlr final : public NearestRecognizer {
 public:
  using Memo = TrainingMemo<TrainingPairs>;

  explicit Vlr(const VlrOptions& options, std::shared_ptr<Memo> memo = nullptr);

  std::string name() const override { return "vlr"; }
  void learn(const TrainingSet& training) override;

  const VlrOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  VlrOptions options_;          // as given
  VlrOptions settings_;         // in use: tuned or restored
  std::shared_ptr<Memo> memo_;  // shared by the candidates of one tuning
};

}  // namespace longshot
