// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <longshot/longshot.h>
#include <pybind11/stl.h>

#include "arrays.h"
#include "research.h"
#include "results.h"
#include "work.h"

namespace longshot::python {
namespace {

template <typename Options>
Options options_of(std::ptrdiff_t atoms, std::ptrdiff_t sparsity, int max_sweeps,
                   double relative_tolerance, const std::string& update) {
  Options options;
  options.atoms = atoms;
  options.sparsity = sparsity;
  options.max_sweeps = max_sweeps;
  options.relative_tolerance = relative_tolerance;
  options.update = update;
  return options;
}

py::tuple dictionary_of(Dictionary learnt) {
  return py::make_tuple(to_python(std::move(learnt.atoms)), to_python(std::move(learnt.codes)),
                        to_python(learnt.objectives), learnt.objective, learnt.stop);
}

py::tuple codes_of(SparseCodes found) {
  py::tuple supports(found.supports.size());
  for (std::size_t i = 0; i < found.supports.size(); ++i) {
    supports[i] = py::tuple(py::cast(found.supports[i]));
  }
  return py::make_tuple(to_python(std::move(found.codes)), supports,
                        to_python(found.squared_residuals), py::tuple(py::cast(found.stops)));
}

py::tuple learn_ksvd(const py::object& samples, std::ptrdiff_t atoms, std::ptrdiff_t sparsity,
                     int max_sweeps, double relative_tolerance, const std::string& update) {
  const auto options =
      options_of<KsvdOptions>(atoms, sparsity, max_sweeps, relative_tolerance, update);
  const Rows rows = to_rows(samples, "Samples");
  return dictionary_of(run_for(
      py::none(), [&, view = view_of(rows)](const Progress&) { return ksvd(view, options); }));
}

py::tuple learn_kernel(const py::object& gram, std::ptrdiff_t atoms, std::ptrdiff_t sparsity,
                       int max_sweeps, double relative_tolerance, const std::string& update) {
  const auto options =
      options_of<KernelDictionaryOptions>(atoms, sparsity, max_sweeps, relative_tolerance, update);
  const Rows rows = to_rows(gram, "Products of samples");
  return dictionary_of(run_for(py::none(), [&, view = view_of(rows)](const Progress&) {
    return kernel_dictionary(view, options);
  }));
}

py::tuple pursue(const py::object& dictionary, const py::object& signals, std::ptrdiff_t sparsity,
                 double relative_tolerance) {
  const Rows atoms = to_rows(dictionary, "Atoms");
  const Rows values = to_rows(signals, "Signals");
  return codes_of(
      run_for(py::none(), [&, first = view_of(atoms), second = view_of(values)](const Progress&) {
        return omp(first, second, {sparsity, relative_tolerance});
      }));
}

py::tuple pursue_gram(const py::object& gram, const py::object& correlations,
                      const std::vector<double>& squared_norms, std::ptrdiff_t sparsity,
                      double relative_tolerance) {
  const Rows atoms = to_rows(gram, "Products of atoms");
  const Rows values = to_rows(correlations, "Products of signals");
  return codes_of(
      run_for(py::none(), [&, first = view_of(atoms), second = view_of(values)](const Progress&) {
        return omp_gram(first, second, squared_norms, {sparsity, relative_tolerance});
      }));
}

py::array kernel_of(const py::object& x, const py::object& y, const std::string& kind, double c,
                    int degree) {
  const Rows left = to_rows(x, "Samples");
  const Rows right = to_rows(y, "Samples");
  // The library gives one column for each of its second matrix, Python one row for each of x.
  return to_python(
      run_for(py::none(), [&, first = view_of(right), second = view_of(left)](const Progress&) {
        return kernel_matrix(first, second, {kind, c, degree});
      }));
}

py::dict learning_defaults(const DictionaryOptions& options, const std::string& update) {
  return py::dict(py::arg("atoms") = options.atoms, py::arg("sparsity") = options.sparsity,
                  py::arg("max_sweeps") = options.max_sweeps,
                  py::arg("relative_tolerance") = options.relative_tolerance,
                  py::arg("update") = update);
}

// What the signatures of longshot.sparse repeat; a test compares them.
py::dict sparse_defaults() {
  const PursuitOptions pursuit;
  const Kernel kernel;
  py::dict all;
  all["ksvd"] = learning_defaults(KsvdOptions(), KsvdOptions().update);
  all["kernel_dictionary"] =
      learning_defaults(KernelDictionaryOptions(), KernelDictionaryOptions().update);
  all["omp"] = py::dict(py::arg("sparsity") = pursuit.sparsity,
                        py::arg("relative_tolerance") = pursuit.relative_tolerance);
  all["omp_gram"] = all["omp"];
  all["kernel_matrix"] = py::dict(py::arg("kind") = kernel.kind, py::arg("c") = kernel.c,
                                  py::arg("degree") = kernel.degree);
  return all;
}

}  // namespace

void bind_sparse(py::module_& module) {
  module.def("ksvd", &learn_ksvd);
  module.def("kernel_dictionary", &learn_kernel);
  module.def("omp", &pursue);
  module.def("omp_gram", &pursue_gram);
  module.def("kernel_matrix", &kernel_of);
  module.def("sparse_defaults", &sparse_defaults);
}

}  // namespace longshot::python
