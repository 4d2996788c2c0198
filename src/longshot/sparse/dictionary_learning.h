// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/sparse/omp.h"

namespace longshot {

// The loop that linear, kernel and joint dictionary learning share: code all samples with at most
// `sparsity` atoms, update the atoms, replace those that do nothing, until it no longer pays.

struct LearningOptions {
  Index atoms = 12;                  // K, >= 1; fewer are returned if the samples cannot fill them
  Index sparsity = 5;                // T0: most atoms per sample, >= 1
  int max_sweeps = 20;               // >= 1
  double relative_tolerance = 1e-4;  // stop when a sweep improves the objective by less, in [0, 1)
  void check() const;
};

enum class LearningStop {
  kMaxSweeps,
  kConverged,  // the objective no longer falls by relative_tolerance
  kExact,      // every sample is represented up to rounding
};

struct LearningSummary {
  std::vector<double> objectives;  // sum of squared residuals after each sweep
  int sweeps = 0;
  double objective = 0.0;  // of the dictionary and codes that are returned: the best of all sweeps
  LearningStop stop = LearningStop::kMaxSweeps;
};

// What the loop needs to know of a dictionary over m samples. All of it is in inner products.
class LearningProblem {
 public:
  virtual ~LearningProblem() = default;

  // The starting dictionary: these samples, scaled to unit norm.
  virtual void start(const std::vector<Index>& samples) = 0;
  // Recomputes the three below after the atoms have changed.
  virtual void refresh() = 0;
  virtual const Matrix& gram() const = 0;           // K x K, of the atoms
  virtual const Matrix& correlations() const = 0;   // K x m, of atoms with samples
  virtual const Vector& squared_norms() const = 0;  // m, of the samples
  // One pass over all atoms, changing codes (K x m) only where they are not zero. Returns the
  // squared residual of every sample (m).
  virtual const Vector& update(Matrix& codes) = 0;
  virtual void replace(Index atom, Index sample) = 0;  // by the sample, scaled to unit norm
  virtual const Matrix& dictionary() const = 0;        // one column per atom
  virtual void set_dictionary(const Matrix& dictionary) = 0;
  // Squared residual, relative to the squared norm, that is rounding and nothing else.
  virtual double rounding() const = 0;
};

struct LearningResult {
  Matrix codes;  // K x m
  LearningSummary summary;
};

// Learns in place: the problem ends with the best dictionary seen. Throws Error if there is no
// starting sample, that is if all samples are zero.
LearningResult learn_dictionary(LearningProblem& problem, const std::vector<Index>& start,
                                const LearningOptions& options);

// Codes every sample by OMP, unless its old support, refitted, or its old code leaves a smaller
// residual: OMP is greedy and alone may do worse than what is there (docs/method.md, 6.4).
class MonotoneCoder {
 public:
  void code(const LearningProblem& problem, Index sparsity,
            Matrix& codes,               // K x m, in and out
            Vector& squared_residuals);  // m, in and out; of the codes that come in

 private:
  OmpWorkspace workspace_;
  OmpWorkspace refit_;
  std::vector<Index> old_support_;
};

}  // namespace longshot
