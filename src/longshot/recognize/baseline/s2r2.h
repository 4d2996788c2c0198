// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/feature/pca.h"
#include "longshot/recognize/baseline/s2r2_system.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct S2r2Options {
  double alpha = 0.1;                 // weight of smoothness, > 0
  double beta = 0.5;                  // weight of the claimed person's features, > 0
  PcaOptions features = {150, 0.98};  // F, at the high resolution
  bool relit = false;                 // every relit image is a claim too; otherwise the photos
  bool tune = true;  // chooses alpha and beta by cross-validation on the training people

  void check() const;
};

// Simultaneous super-resolution and recognition. Probes are of unit norm, gallery images such that
// they are of unit norm after degradation. The distance is w.(e1, e2, e3) to the nearest image of a
// person, w by Fisher's discriminant between genuine and impostor pairs of training photos.
class S2r2 final : public Recognizer {
 public:
  explicit S2r2(const S2r2Options& options);

  std::string name() const override { return "s2r2"; }
  void learn(const TrainingSet& training) override;  // throws Error without training people
  // Parts: C f for every measure and image, N_L x 3m; f'Q f, 3 x m.
  Template enrol(const PersonImages& person) const override;
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const S2r2Options& settings() const { return settings_; }  // after learn(): as tuned
  const S2r2System& system() const { return *system_; }
  const Matrix& extraction() const { return extraction_; }
  const Eigen::Vector3d& weights() const { return weights_; }

 private:
  S2r2Options options_;   // as given
  S2r2Options settings_;  // in use: tuned or restored
  Matrix extraction_;     // F, p x N_H
  std::shared_ptr<const S2r2System> system_;
  Eigen::Vector3d weights_ = Eigen::Vector3d::Ones();
};

}  // namespace longshot
