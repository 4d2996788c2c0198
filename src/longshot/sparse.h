// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "longshot/export.h"

// The dictionaries and solvers behind the methods of the paper, for matrices of one's own
// (docs/method.md, sections 5 to 7).
namespace longshot::v0 {

// A matrix where the caller has it: columns that follow each other.
struct ColumnsView {
  const double* values = nullptr;
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
};

// One that comes out of the library.
struct Columns {
  std::ptrdiff_t rows = 0;
  std::ptrdiff_t cols = 0;
  std::vector<double> values;  // column by column

  operator ColumnsView() const { return {values.data(), rows, cols}; }  // implicit
};

struct DictionaryOptions {
  std::ptrdiff_t atoms = 12;         // K, >= 1; fewer come back if the samples cannot fill them
  std::ptrdiff_t sparsity = 5;       // most atoms per sample, >= 1
  int max_sweeps = 20;               // >= 1
  double relative_tolerance = 1e-4;  // stop when a sweep improves the objective by less, 0 to 1
};

struct KsvdOptions : DictionaryOptions {
  std::string update = "exact";  // or approximate: one power iteration
};

struct KernelDictionaryOptions : DictionaryOptions {
  std::string update = "mod";  // or ksvd: one atom at a time
};

struct Dictionary {
  Columns atoms;                   // one atom per column
  Columns codes;                   // K x m: one sample per column
  std::vector<double> objectives;  // sum of squared residuals after each sweep
  double objective = 0.0;          // of what is returned: the best of all sweeps
  std::string stop;                // max_sweeps, converged, or exact: nothing is left but rounding
};

// K-SVD of samples (d x m): atoms (d x K) of unit norm. Throws Error for samples that are empty,
// all zero or not finite, and for bad options.
LONGSHOT_API Dictionary ksvd(const ColumnsView& samples, const KsvdOptions& options = {});

// The same in the feature space of a kernel, from the Gram matrix (m x m) of the samples alone:
// atoms (m x K) are weights of the samples, of unit norm in that space.
LONGSHOT_API Dictionary kernel_dictionary(const ColumnsView& gram,
                                          const KernelDictionaryOptions& options = {});

struct PursuitOptions {
  std::ptrdiff_t sparsity = 5;      // most atoms per signal, >= 1
  double relative_tolerance = 0.0;  // stop at this fraction of the squared norm, 0 to 1
};

struct SparseCodes {
  Columns codes;                                      // K x n: one signal per column
  std::vector<std::vector<std::ptrdiff_t>> supports;  // atoms of each in the order of selection
  std::vector<double> squared_residuals;              // of each
  std::vector<std::string> stops;                     // sparsity, tolerance or uncorrelated
};

// Orthogonal matching pursuit of signals (d x n) over a dictionary (d x K).
LONGSHOT_API SparseCodes omp(const ColumnsView& dictionary, const ColumnsView& signals,
                             const PursuitOptions& options = {});
// The same from inner products alone, as for a kernel: of the atoms (K x K), of atoms with signals
// (K x n), and of each signal with itself.
LONGSHOT_API SparseCodes omp_gram(const ColumnsView& gram, const ColumnsView& correlations,
                                  const std::vector<double>& squared_norms,
                                  const PursuitOptions& options = {});

struct Kernel {
  std::string kind = "rbf";  // exp(-|x - y|^2 / c); polynomial: (<x, y> + c)^degree; or linear
  double c = 1.0;
  int degree = 2;
};

// m x n: the kernel of each column of x (d x m) with each of y (d x n).
LONGSHOT_API Columns kernel_matrix(const ColumnsView& x, const ColumnsView& y,
                                   const Kernel& kernel = {});

}  // namespace longshot::v0
