// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/recognize/whitening.h"
#include "longshot/sparse/joint.h"
#include "longshot/sparse/kernel.h"

namespace longshot {

struct KernelSlrfrOptions {
  bool joint = false;  // learn with the high-resolution images too
  FeatureOptions low;
  std::optional<WhiteningOptions> whitening;                      // instead of `low`
  FeatureOptions high = {Normalisation::kUnitNorm, {150, 0.98}};  // for joint
  JointDictionaryOptions dictionary;  // lambda and normalisation for joint only
  KernelKind kernel = KernelKind::kRbf;
  int degree = 2;  // of the polynomial kernel
  // Kernel widths in units of the median squared distance between different training people;
  // > 0. Without training people the medians below stand in.
  double low_width = 32.0;
  double high_width = 32.0;
  // T, atoms used to code a probe; 0: all of them (T = K), the kernel's projector.
  Index test_sparsity = 0;
  // Chooses the widths and the number of atoms by cross-validation on the training people.
  bool tune = true;

  KernelSlrfrOptions() {
    dictionary.atoms = 12;
    dictionary.sparsity = 5;
    dictionary.max_sweeps = 10;
  }
  void check() const;
};

// kerSLRFR and jointKerSLRFR (Shekhar, Patel and Chellappa, sections III-C and III-D): one kernel
// dictionary per person from relit, degraded samples, learnt with the high-resolution samples too
// where joint. The distance is the residual of eq. (12) relative to k(z, z), in [0, 1].
class KernelSlrfr final : public Recognizer {
 public:
  explicit KernelSlrfr(const KernelSlrfrOptions& options);

  std::string name() const override { return settings_.joint ? "joint" : "kernel"; }
  void learn(const TrainingSet& training) override;
  // Parts: samples d x m; with T < K A (m x K) and the atoms' Gram matrix; with T = K the
  // projection W (K x m), which for an RBF kernel is turned and transposed, and followed by the sum
  // of its first row and what that leaves of 1 (search/kernel_block.h).
  Template enrol(const PersonImages& person) const override;
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const KernelSlrfrOptions& settings() const { return settings_; }  // after learn(): as tuned
  const Kernel& low_kernel() const { return low_kernel_; }

 private:
  KernelSlrfrOptions options_;   // as given
  KernelSlrfrOptions settings_;  // in use: tuned or restored
  FeatureSpace low_space_;
  FeatureSpace high_space_;  // of joint
  Kernel low_kernel_;
  Kernel high_kernel_;
};

}  // namespace longshot
