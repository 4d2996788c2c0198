// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/recognize/whitening.h"
#include "longshot/sparse/ksvd.h"

namespace longshot {

// How the subspace of a person is found from the relit samples.
enum class SubspaceKind {
  kDictionary,  // span of a K-SVD dictionary: the paper's SLRFR
  kSvd,         // the leading singular vectors: the control with the same dimension
  kAffine,      // the same after subtracting the person's mean
};

struct SlrfrOptions {
  SubspaceKind kind = SubspaceKind::kDictionary;
  FeatureOptions feature;
  std::optional<WhiteningOptions> whitening;  // instead of `feature`
  KsvdOptions dictionary;                     // its `atoms` is the dimension for the controls too
  // Chooses the number of atoms, their sparsity and whether features are centred by
  // cross-validation on the training people.
  bool tune = true;

  SlrfrOptions() {
    // In centred features the first atoms would go to what the lights do to everybody.
    feature.centre = false;
    dictionary.atoms = 12;
    dictionary.sparsity = 5;
    dictionary.max_sweeps = 10;
  }
  void check() const;
};

// Synthesis-based low-resolution face recognition (Shekhar, Patel and Chellappa, section III-B):
// one subspace per person from relit, degraded samples; the distance is the squared residual of the
// probe's projection, eq. (7), relative to the probe's energy, so in [0, 1].
class Slrfr final : public Recognizer {
 public:
  explicit Slrfr(const SlrfrOptions& options);

  std::string name() const override;
  void learn(const TrainingSet& training) override;
  Template enrol(const PersonImages& person) const override;  // parts: basis d x r, mean d x 1
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const SlrfrOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  SlrfrOptions options_;   // as given
  SlrfrOptions settings_;  // in use: tuned or restored
  FeatureSpace space_;
};

}  // namespace longshot
