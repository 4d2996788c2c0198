// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <Eigen/SparseCore>

#include "longshot/recognize/baseline/nearest.h"
#include "longshot/recognize/baseline/training_pairs.h"

namespace longshot {

// Coupled locality preserving mappings (Li, Chang, Shan and Chen, IEEE Signal Processing Letters
// 2010): linear maps A_L, A_H of low- and high-resolution features into one space, where each low
// image lies near the high images that are its neighbours.

struct Neighbours {
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> index;  // k x n, the nearest first
  Matrix squared_distances;                                    // k x n
};

// Of each sample (column of d x n) among the others; k is cut to n - 1. Equal distances: the
// earlier sample first.
Neighbours nearest_neighbours(const MatrixRef& samples, Index k);

// n x n, symmetric: exp(-|h_i - h_j|^2 / sigma^2) where i and j are among each other's k nearest,
// 1 on the diagonal, otherwise 0; sigma^2 is the mean squared distance to a neighbour. With k = 0
// it is the identity, the plain coupled mapping. `k` may be less than the neighbours hold.
Eigen::SparseMatrix<double> locality_weights(const Neighbours& neighbours, Index k);

struct CoupledMaps {
  Matrix low;    // d_L x d
  Matrix high;   // d_H x d
  Vector costs;  // d: the eigenvalues, ascending
};

// Minimises tr(A' E A) subject to A' (F + tau t I) A = I, where t is the mean diagonal of F,
//   A = [A_L; A_H],  tr(A' E A) = sum_ij W_ij |A_L' l_i - A_H' h_j|^2,  F = blkdiag(L L', H H').
// The pairs must be centred, or the constant map comes first. `dimensions` is cut to d_L + d_H.
CoupledMaps coupled_maps(const MatrixRef& low,   // d_L x n
                         const MatrixRef& high,  // d_H x n
                         const Eigen::SparseMatrix<double>& weights, Index dimensions, double tau);

struct ClpmOptions {
  bool extended = false;  // relit images join the training pairs and are enrolled
  TrainingPairOptions pairs;
  Index dimensions = 20;  // of the common space, >= 1
  Index neighbours = 5;   // >= 0
  double tau = 1.0;       // ridge in units of the mean diagonal of F, > 0
  bool tune = true;       // chooses the three above by cross-validation on the training people

  void check() const;
};

// What all candidates make of one training set.
struct ClpmTraining {
  TrainingPairs pairs;
  Neighbours neighbours;
};

class Clpm final : public NearestRecognizer {
 public:
  using Memo = TrainingMemo<ClpmTraining>;

  explicit Clpm(const ClpmOptions& options, std::shared_ptr<Memo> memo = nullptr);

  std::string name() const override { return settings_.extended ? "clpm-ext" : "clpm"; }
  void learn(const TrainingSet& training) override;

  const ClpmOptions& settings() const { return settings_; }  // after learn(): as tuned

 private:
  ClpmOptions options_;         // as given
  ClpmOptions settings_;        // in use: tuned or restored
  std::shared_ptr<Memo> memo_;  // shared by the candidates of one tuning
};

}  // namespace longshot
