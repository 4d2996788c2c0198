// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "longshot/recognize/baseline/nearest.h"
#include "longshot/recognize/baseline/training_pairs.h"

namespace longshot {

// Regularised linear discriminant (Lu, Plataniotis and Venetsanopoulos, Pattern Recognition Letters
// 2005; what the paper calls reg-LDA). Not Friedman's shrinkage of class covariances, which has the
// same initials.
//
// With S_b = U L_b U' the scatter of the class means and S_w that within classes, H = U L_b^-1/2
// over the nonzero eigenvalues, and H' S_w H = P L_w P': returns W = H P (eta I + L_w)^-1/2 for the
// `dimensions` smallest L_w (cut to the number of classes less one), d x M. So W' S_b W is diagonal
// and W' (S_w + eta S_b) W = I.
Matrix regularised_discriminant(const MatrixRef& samples,         // d x n
                                const std::vector<int>& classes,  // n
                                Index dimensions,                 // >= 1
                                double eta);                      // > 0, at most 1 makes sense

struct RdaOptions {
  bool relit_training = true;  // the relit images join the training people's photos
  TrainingPairOptions pairs;
  Index dimensions = 100;  // >= 1; at most one less than the training people are used
  double eta = 0.01;       // in (0, 1]
  NearestMetric metric = NearestMetric::kEuclidean;
  // Chooses relit_training, eta and the metric by cross-validation on the training people.
  bool tune = true;

  void check() const;
};

// The discriminant of the training people at the low resolution; a person is the nearest of their
// relit images in it.
class Rda final : public NearestRecognizer {
 public:
  using Memo = TrainingMemo<TrainingPairs>;

  explicit Rda(const RdaOptions& options, std::shared_ptr<Memo> memo = nullptr);

  std::string name() const override { return "rda"; }
  void learn(const TrainingSet& training) override;

  const RdaOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  RdaOptions options_;          // as given
  RdaOptions settings_;         // in use: tuned or restored
  std::shared_ptr<Memo> memo_;  // shared by the candidates of one tuning
};

}  // namespace longshot
