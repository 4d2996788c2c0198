// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "longshot/recognize/baseline/nearest.h"
#include "longshot/recognize/baseline/training_pairs.h"

namespace longshot {

// Multidimensional scaling for matching low-resolution faces (Biswas, Bowyer and Flynn, PAMI 2012):
// linear maps after which the distance of a low image from a high one imitates that between the
// high images. With q_ij = |W_H' h_i - W_L' l_j| and d_ij = |h_i - h_j|, it minimises
//   J = lambda sum_ij (q_ij - d_ij)^2 + (1 - lambda) sum_{i, j same person} q_ij^2
// by iterative majorisation (Webb 1995).
struct MdsMapOptions {
  Index dimensions = 40;          // of the common space, >= 1; cut to d_H
  double lambda = 0.02;           // in (0, 1]
  bool same_person_at_0 = false;  // d_ij = 0 for two images of one person: separates people more
  Index max_iterations = 30;      // >= 0
  double tolerance = 1e-4;        // relative decrease of J at which to stop, >= 0

  void check() const;
};

struct MdsMaps {
  Matrix low;                      // d_L x d
  Matrix high;                     // d_H x d
  std::vector<double> objectives;  // J at the start and after each iteration; never increases
  bool converged = false;          // false: max_iterations came first
};

MdsMaps mds_maps(const MatrixRef& low,              // d_L x n
                 const MatrixRef& high,             // d_H x n
                 const std::vector<int>& subjects,  // n
                 const MdsMapOptions& options);

struct MdsOptions {
  bool extended = false;  // enrol the relit images instead of the photos
  TrainingPairOptions pairs;
  MdsMapOptions map;
  // Chooses lambda, same_person_at_0 and the energy of the low features by cross-validation on the
  // training people.
  bool tune = true;

  MdsOptions() {
    pairs.max_pairs = 600;  // as time and memory grow with their square
    pairs.low.pca.energy = 0.995;
    pairs.high.pca.energy = 0.98;
  }
  void check() const;
};

class Mds final : public NearestRecognizer {
 public:
  using Memo = TrainingMemo<TrainingPairs>;

  explicit Mds(const MdsOptions& options, std::shared_ptr<Memo> memo = nullptr);

  std::string name() const override { return "mds"; }
  void learn(const TrainingSet& training) override;

  const MdsOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  MdsOptions options_;          // as given
  MdsOptions settings_;         // in use: tuned or restored
  std::shared_ptr<Memo> memo_;  // shared by the candidates of one tuning
};

}  // namespace longshot
