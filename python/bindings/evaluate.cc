// SPDX-License-Identifier: Apache-2.0
#include "evaluate.h"

#include <filesystem>
#include <utility>

#include <longshot/evaluate.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "pictures.h"
#include "research.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

py::object result_of(const MethodResult& result, const py::object& type) {
  py::dict decided;
  for (const auto& [rate, rates] : result.decided) {
    decided[py::float_(rate)] = py::dict(py::arg("fpir") = rates.fpir, py::arg("dir") = rates.dir,
                                         py::arg("strangers") = rates.strangers);
  }
  return type(py::arg("method") = to_text(result.method), py::arg("size") = to_python(result.size),
              py::arg("noise") = result.noise, py::arg("rank1") = result.rank1,
              py::arg("rank1_std") = result.rank1_std,
              py::arg("rank1_interval") =
                  py::make_tuple(result.rank1_interval.low, result.rank1_interval.high),
              py::arg("rank1_draws") = py::tuple(py::cast(result.rank1_draws)),
              py::arg("cmc") = to_python(result.cmc), py::arg("gallery") = result.gallery,
              py::arg("probes") = result.probes, py::arg("ties") = result.ties,
              py::arg("dir_at_fpir") = result.dir_at_fpir, py::arg("decided") = decided,
              py::arg("eer") = result.eer,
              py::arg("enroll_ms_per_person") = result.enroll_ms_per_person,
              py::arg("identify_ms_per_probe") = result.identify_ms_per_probe,
              py::arg("bytes_per_person") = result.bytes_per_person,
              py::arg("bytes_per_probe") = result.bytes_per_probe);
}

py::tuple results_of(const Evaluation& evaluation) {
  const py::object type = py::module_::import("longshot.evaluation").attr("MethodResult");
  py::list results;
  for (const MethodResult& one : evaluation.results()) results.append(result_of(one, type));
  return results;
}

void set_sizes(EvaluateOptions& options, const py::iterable& sizes) {
  options.sizes.clear();
  for (const py::handle& size : sizes) {
    options.sizes.push_back(to_size(py::reinterpret_borrow<py::object>(size)));
  }
}

void bind_options(py::module_& module) {
  // Its fields, whose defaults are the struct's, are filled by longshot.evaluation.
  py::class_<EvaluateOptions>(module, "EvaluateOptions")
      .def(py::init<>())
      .def_readwrite("protocol", &EvaluateOptions::protocol)
      .def_readwrite("methods", &EvaluateOptions::methods)
      .def("own_method", [](EvaluateOptions& one, const std::string& name,
                            const py::object& make) { one.own_methods[name] = maker_of(make); })
      .def_readwrite("profile", &EvaluateOptions::profile)
      .def_readwrite("tune", &EvaluateOptions::tune)
      .def_readwrite("parameters", &EvaluateOptions::parameters)
      .def_readwrite("embedding", &EvaluateOptions::embedding)
      .def_property(
          "high",
          [](const EvaluateOptions& one) { return one.high ? to_python(*one.high) : py::none(); },
          [](EvaluateOptions& one, const py::object& size) { one.high = to_optional_size(size); })
      .def_property(
          "sizes",
          [](const EvaluateOptions& one) {
            py::list sizes;
            for (const Size size : one.sizes) sizes.append(to_python(size));
            return sizes;
          },
          &set_sizes)
      .def_readwrite("noise", &EvaluateOptions::noise)
      .def_readwrite("op", &EvaluateOptions::op)
      .def_readwrite("probe_op", &EvaluateOptions::probe_op)
      .def_readwrite("jitter", &EvaluateOptions::jitter)
      .def_readwrite("simulated_cameras", &EvaluateOptions::simulated_cameras)
      .def_readwrite("camera_harm", &EvaluateOptions::camera_harm)
      .def_readwrite("camera", &EvaluateOptions::camera)
      .def_readwrite("learn_camera", &EvaluateOptions::learn_camera)
      .def_readwrite("know_camera", &EvaluateOptions::know_camera)
      .def_readwrite("use_training", &EvaluateOptions::use_training)
      .def_readwrite("decisions", &EvaluateOptions::decisions)
      .def_readwrite("scores", &EvaluateOptions::scores)
      .def_readwrite("fpir", &EvaluateOptions::fpir)
      .def_readwrite("draws", &EvaluateOptions::draws)
      .def_readwrite("swap_halves", &EvaluateOptions::swap_halves)
      .def_readwrite("corresponding", &EvaluateOptions::corresponding)
      .def_readwrite("seed", &EvaluateOptions::seed)
      .def_readwrite("detector", &EvaluateOptions::detector)
      .def_readwrite("save_runs", &EvaluateOptions::save_runs);
}

}  // namespace

void bind_evaluate(py::module_& module) {
  namespace fs = std::filesystem;
  bind_options(module);
  py::class_<Evaluation>(module, "Evaluation")
      .def("results", &results_of)
      .def("rejections",
           [](const Evaluation& evaluation) { return to_python(evaluation.rejections()); })
      .def("json", [](const Evaluation& evaluation) { return to_text(evaluation.json()); })
      .def("csv", [](const Evaluation& evaluation) { return to_text(evaluation.csv()); })
      .def("scores_csv",
           [](const Evaluation& evaluation) { return to_text(evaluation.scores_csv()); })
      .def("write_report", [](const Evaluation& evaluation, const fs::path& path,
                              const py::str& data, const py::str& command, const py::str& date) {
        const ReportText text{to_bytes(data), to_bytes(command), to_bytes(date)};
        quickly([&] { evaluation.write_report(path, text); });
      });
  module.def("evaluate", [](const fs::path& data, const EvaluateOptions& options,
                            const py::object& progress) {
    return run_for(progress, [&](const Progress& shown) { return evaluate(data, options, shown); });
  });
  module.def("method_parameters", &method_parameters);
  module.def("write_synthetic_people",
             [](const fs::path& folder, std::ptrdiff_t people, std::ptrdiff_t photos,
                const py::object& size, std::ptrdiff_t training, std::uint64_t seed,
                const py::object& progress) {
               SyntheticOptions options;
               options.people = people;
               options.photos = photos;
               options.size = to_size(size);
               options.training = training;
               options.seed = seed;
               return run_for(progress, [&](const Progress& shown) {
                 return write_synthetic_people(folder, options, shown);
               });
             });
}

}  // namespace longshot::python
