// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/sparse/fista.h"

namespace longshot {

struct SrcOptions {
  FeatureOptions feature;
  FistaOptions coding = {.mu = 0.03, .tolerance = 1e-3, .max_iterations = 300};
  bool tune = true;  // chooses mu by cross-validation on the training people

  void check() const;
};

// Sparse-representation classification (Wright et al., PAMI 2009): a probe is coded sparsely over
// the relit samples of all people; the distance to a person is the residual that the person's own
// share of the code leaves, with probe and samples of unit length.
class Src final : public Recognizer {
 public:
  explicit Src(const SrcOptions& options);

  std::string name() const override { return "src"; }
  bool has_independent_distances() const override { return false; }
  void learn(const TrainingSet& training) override;
  Template enrol(const PersonImages& person) const override;  // parts: samples d x m
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const SrcOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  SrcOptions options_;   // as given
  SrcOptions settings_;  // in use: tuned or restored
  FeatureSpace space_;
};

}  // namespace longshot
