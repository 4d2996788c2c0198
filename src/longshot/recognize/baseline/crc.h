// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct CrcOptions {
  FeatureOptions feature;
  double lambda = 0.01;  // weight of |g|^2 against the squared error, > 0
  bool tune = true;      // chooses lambda by cross-validation on the training people

  void check() const;
};

// Collaborative representation with regularised least squares (Zhang, Yang and Feng, ICCV 2011):
//   g = (D' D + lambda I)^-1 D' y over the relit samples D of all people,
// and the distance to person i is |y - D_i g_i| / |g_i|, with probe and samples of unit length.
class Crc final : public Recognizer {
 public:
  explicit Crc(const CrcOptions& options);

  std::string name() const override { return "crc"; }
  bool has_independent_distances() const override { return false; }
  void learn(const TrainingSet& training) override;
  Template enrol(const PersonImages& person) const override;  // parts: samples d x m
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const CrcOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  CrcOptions options_;   // as given
  CrcOptions settings_;  // in use: tuned or restored
  FeatureSpace space_;
};

}  // namespace longshot
