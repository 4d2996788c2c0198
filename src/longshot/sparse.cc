// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>
#include <utility>

#include "longshot/door.h"
#include "longshot/sparse/kernel.h"
#include "longshot/sparse/kernel_dictionary.h"
#include "longshot/sparse/ksvd.h"
#include "longshot/sparse/omp.h"

namespace longshot {
namespace {

Eigen::Map<const Matrix> inner_columns(const v0::ColumnsView& columns, const char* name) {
  if (columns.rows < 1 || columns.cols < 1 || columns.values == nullptr) {
    throw Error("The {} are empty.", name);
  }
  const Eigen::Map<const Matrix> matrix(columns.values, columns.rows, columns.cols);
  if (!matrix.allFinite()) throw Error("The {} hold values that are not finite.", name);
  return matrix;
}

v0::Columns outer_columns(const Matrix& matrix) {
  return {matrix.rows(), matrix.cols(), {matrix.data(), matrix.data() + matrix.size()}};
}

template <typename Options>
Options learning_options(const v0::DictionaryOptions& options) {
  Options own;
  own.atoms = options.atoms;
  own.sparsity = options.sparsity;
  own.max_sweeps = options.max_sweeps;
  own.relative_tolerance = options.relative_tolerance;
  return own;
}

template <typename Choice>
Choice chosen(const char* what, const std::string& name,
              const std::map<std::string, Choice>& choices) {
  const auto found = choices.find(name);
  if (found != choices.end()) return found->second;
  std::string known;
  for (const auto& [one, choice] : choices) known += known.empty() ? one : " or " + one;
  throw Error("The {} is {}, not \"{}\".", what, known, name);
}

std::string stop_name(LearningStop stop) {
  switch (stop) {
    case LearningStop::kMaxSweeps:
      return "max_sweeps";
    case LearningStop::kConverged:
      return "converged";
    case LearningStop::kExact:
      break;
  }
  return "exact";
}

std::string stop_name(OmpStop stop) {
  switch (stop) {
    case OmpStop::kSparsity:
      return "sparsity";
    case OmpStop::kTolerance:
      return "tolerance";
    case OmpStop::kUncorrelated:
      break;
  }
  return "uncorrelated";
}

v0::Dictionary outer_dictionary(const Matrix& atoms, const Matrix& codes,
                                const LearningSummary& summary) {
  return {outer_columns(atoms), outer_columns(codes), summary.objectives, summary.objective,
          stop_name(summary.stop)};
}

v0::SparseCodes pursued(const MatrixRef& gram, const MatrixRef& correlations,
                        const VectorRef& squared_norms, const v0::PursuitOptions& options) {
  OmpBatch batch =
      omp_batch(gram, correlations, squared_norms, {options.sparsity, options.relative_tolerance});
  v0::SparseCodes codes;
  codes.codes = outer_columns(batch.codes);
  for (const std::vector<Index>& support : batch.supports) {
    codes.supports.emplace_back(support.begin(), support.end());
  }
  codes.squared_residuals.assign(batch.squared_residuals.begin(), batch.squared_residuals.end());
  for (const OmpStop stop : batch.stops) codes.stops.push_back(stop_name(stop));
  return codes;
}

}  // namespace

namespace v0 {

Dictionary ksvd(const ColumnsView& samples, const KsvdOptions& options) {
  return door::translated([&] {
    auto own = learning_options<longshot::KsvdOptions>(options);
    own.update = chosen<KsvdUpdate>(
        "update", options.update,
        {{"exact", KsvdUpdate::kExact}, {"approximate", KsvdUpdate::kApproximate}});
    const KsvdResult result = longshot::ksvd(inner_columns(samples, "samples"), own);
    return outer_dictionary(result.dictionary, result.codes, result.summary);
  });
}

Dictionary kernel_dictionary(const ColumnsView& gram, const KernelDictionaryOptions& options) {
  return door::translated([&] {
    auto own = learning_options<longshot::KernelDictionaryOptions>(options);
    own.update = chosen<KernelUpdate>("update", options.update,
                                      {{"mod", KernelUpdate::kMod}, {"ksvd", KernelUpdate::kKsvd}});
    const KernelDictionaryResult result =
        learn_kernel_dictionary(inner_columns(gram, "products of the samples"), own);
    return outer_dictionary(result.coefficients, result.codes, result.summary);
  });
}

SparseCodes omp(const ColumnsView& dictionary, const ColumnsView& signals,
                const PursuitOptions& options) {
  return door::translated([&] {
    const auto atoms = inner_columns(dictionary, "atoms");
    const auto values = inner_columns(signals, "signals");
    if (atoms.rows() != values.rows()) {
      throw Error("The atoms have {} values each, the signals {}.", atoms.rows(), values.rows());
    }
    return pursued(atoms.transpose() * atoms, atoms.transpose() * values,
                   values.colwise().squaredNorm().transpose(), options);
  });
}

SparseCodes omp_gram(const ColumnsView& gram, const ColumnsView& correlations,
                     const std::vector<double>& squared_norms, const PursuitOptions& options) {
  return door::translated([&] {
    const auto products = inner_columns(gram, "products of the atoms");
    const auto with_signals = inner_columns(correlations, "products of atoms and signals");
    const auto norms = inner_columns(
        {squared_norms.data(), static_cast<Index>(squared_norms.size()), 1}, "squared norms");
    if (products.rows() != products.cols() || with_signals.rows() != products.rows() ||
        with_signals.cols() != norms.rows()) {
      throw Error(
          "Products of {}x{} atoms, of {} atoms and {} signals and {} squared norms do not "
          "fit each other.",
          products.rows(), products.cols(), with_signals.rows(), with_signals.cols(), norms.rows());
    }
    return pursued(products, with_signals, norms.col(0), options);
  });
}

Columns kernel_matrix(const ColumnsView& x, const ColumnsView& y, const Kernel& kernel) {
  return door::translated([&] {
    longshot::Kernel own;
    own.kind = chosen<KernelKind>("kernel", kernel.kind,
                                  {{"linear", KernelKind::kLinear},
                                   {"polynomial", KernelKind::kPolynomial},
                                   {"rbf", KernelKind::kRbf}});
    own.c = kernel.c;
    own.degree = kernel.degree;
    own.check();
    const auto left = inner_columns(x, "samples");
    const auto right = inner_columns(y, "samples");
    if (left.rows() != right.rows()) {
      throw Error("The samples have {} and {} values each.", left.rows(), right.rows());
    }
    const bool same = x.values == y.values && x.cols == y.cols;
    return outer_columns(same ? kernel_gram(own, left) : kernel_cross(own, left, right));
  });
}

}  // namespace v0
}  // namespace longshot
