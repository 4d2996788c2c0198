// SPDX-License-Identifier: Apache-2.0
#include <longshot/longshot.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "clips.h"
#include "errors.h"
#include "evaluate.h"
#include "faces.h"
#include "gallery.h"
#include "pictures.h"
#include "research.h"
#include "results.h"
#include "system.h"
#include "work.h"

namespace longshot::python {
namespace {

py::object relight_picture(const Picture& photo, const py::object& size,
                           const std::vector<std::pair<double, double>>& lights, double ambient,
                           const std::filesystem::path& detector) {
  RelightRequest request;
  request.size = to_size(size);
  for (const auto& [azimuth, elevation] : lights) request.lights.push_back({azimuth, elevation});
  request.ambient = ambient;
  request.detector = detector;
  return to_python(run_for(py::none(), [&](const Progress&) { return relight(photo, request); }));
}

py::object degrade_picture(const Picture& picture, const py::object& size, const std::string& op,
                           double noise, std::uint64_t seed, bool face,
                           const std::filesystem::path& detector) {
  DegradeRequest request;
  request.op = op;
  request.noise = noise;
  request.seed = seed;
  request.face = face;
  request.detector = detector;
  const Size wanted = to_size(size);
  return to_python(
      run_for(py::none(), [&](const Progress&) { return degrade(picture, wanted, request); }));
}

std::vector<std::pair<double, double>> lights_of(const std::string& text) {
  std::vector<std::pair<double, double>> lights;
  for (const Light& one : parse_lights(text)) lights.emplace_back(one.azimuth, one.elevation);
  return lights;
}

py::object train_people(const std::vector<Picture>& pictures, const std::filesystem::path& out,
                        const py::object& high, const std::filesystem::path& detector,
                        const py::object& progress) {
  TrainOptions options;
  options.high = to_size(high);
  options.detector = detector;
  return to_python(run_for(
      progress, [&](const Progress& shown) { return train(pictures, out, options, shown); }));
}

// What the signatures of the package repeat; a test compares them.
py::dict defaults() {
  const IdentifyOptions identify;
  const VerifyOptions verify;
  const DegradeRequest degrading;
  const RelightRequest relighting;
  py::dict all;
  all["identify"] =
      py::dict(py::arg("method") = identify.method, py::arg("top") = identify.top,
               py::arg("fpir") = identify.fpir, py::arg("fuse_folders") = identify.fuse_folders,
               py::arg("faces") = identify.faces == Faces::largest ? "largest" : "all");
  all["verify"] = py::dict(py::arg("method") = verify.method, py::arg("fmr") = verify.fmr);
  all["degrade"] = py::dict(py::arg("op") = degrading.op, py::arg("noise") = degrading.noise,
                            py::arg("seed") = degrading.seed, py::arg("face") = degrading.face);
  const SyntheticOptions synthetic;
  all["synthesize"] =
      py::dict(py::arg("people") = synthetic.people, py::arg("photos") = synthetic.photos,
               py::arg("size") = to_python(synthetic.size),
               py::arg("training") = synthetic.training, py::arg("seed") = synthetic.seed);
  all["relight"] = py::dict(py::arg("size") = to_python(relighting.size),
                            py::arg("ambient") = relighting.ambient);
  const FaceOptions finding;
  all["find_faces"] = py::dict(py::arg("least_eye_distance") = finding.least_eye_distance,
                               py::arg("least_likeness") = finding.least_likeness);
  all["compact"] = py::dict(py::arg("cache_bytes") = CompactOptions().cache_bytes);
  const EnrollOptions enrolling;
  all["enroll"] = py::dict(py::arg("person") = enrolling.person, py::arg("force") = enrolling.force,
                           py::arg("allow_none") = enrolling.allow_none,
                           py::arg("refresh") = enrolling.refresh);
  all["train"] = py::dict(py::arg("high") = to_python(TrainOptions().high));
  all["find_tracks"] = clip_defaults();
  all["synthesize_clip"] = synthetic_clip_defaults();
  return all;
}

}  // namespace

PYBIND11_MODULE(_longshot, module) {
  module.doc() = "The library behind the package longshot; use that.";
  translate_errors();
  bind_pictures(module);
  bind_faces(module);
  bind_clips(module);
  bind_system(module);
  bind_shards(module);
  bind_camera(module);
  bind_gallery(module);
  bind_documents(module);
  bind_methods(module);
  bind_evaluate(module);
  bind_sparse(module);
  module.def("pictures", &to_pictures, py::arg("sources"), py::arg("aligned"), py::arg("name"));
  module.def("relight", &relight_picture);
  module.def("degrade", &degrade_picture);
  module.def("parse_lights", &lights_of);
  module.def("train", &train_people);
  module.def("defaults", &defaults);
}

}  // namespace longshot::python
