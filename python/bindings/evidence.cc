// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <longshot/gallery.h>
#include <longshot/report.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "gallery.h"
#include "opened_gallery.h"
#include "pictures.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

namespace fs = std::filesystem;

std::vector<Evidence> evidence_of(const OpenedGallery& own, const std::vector<Picture>& probes,
                                  const Answers& answers, const IdentifyOptions& options,
                                  std::ptrdiff_t pictured, const py::object& progress) {
  const std::shared_ptr<Gallery> gallery = own.use();
  return run_for(progress, [&](const Progress& shown) {
    return gallery->evidence(probes, answers, options, pictured, shown);
  });
}

IdentifyOptions options_of(bool fuse_folders, const std::optional<Camera>& camera,
                           const fs::path& detector) {
  IdentifyOptions options;
  options.fuse_folders = fuse_folders;
  options.camera = camera;
  options.detector = detector;
  return options;
}

py::tuple evidence(const OpenedGallery& own, const std::vector<Picture>& probes,
                   const py::object& answers, bool fuse_folders,
                   const std::optional<Camera>& camera, const fs::path& detector,
                   std::ptrdiff_t pictured, const py::object& progress) {
  py::list shown;
  for (Evidence& one :
       evidence_of(own, probes, to_answers(answers), options_of(fuse_folders, camera, detector),
                   pictured, progress)) {
    shown.append(to_python(std::move(one)));
  }
  return shown;
}

void report(const OpenedGallery& own, const fs::path& out, const std::vector<Picture>& probes,
            const py::object& answers, bool fuse_folders, const std::optional<Camera>& camera,
            const fs::path& detector, std::ptrdiff_t pictured, const py::str& method,
            const py::str& command, const py::object& progress) {
  const Answers given = to_answers(answers);
  const std::vector<Evidence> shown = evidence_of(
      own, probes, given, options_of(fuse_folders, camera, detector), pictured, progress);
  const EvidenceText text{own.use()->path().string(), to_bytes(command), to_bytes(method), 0};
  quickly([&] { write_file(out, to_html(shown, given.cameras, text)); });
}

// Each clip as its tracks and the number of its frames.
py::object annotate(const OpenedGallery& own, const fs::path& folder,
                    const std::vector<Picture>& pictures,
                    const std::vector<std::pair<std::vector<Track>, std::ptrdiff_t>>& clips,
                    const py::object& answers, bool fuse_folders,
                    const std::optional<Camera>& camera, std::ptrdiff_t every, double begin,
                    double end, const py::object& progress) {
  std::vector<ClipTracks> found;
  for (const auto& [tracks, frames] : clips) found.push_back({tracks, frames, ""});
  ClipOptions clip;
  clip.every = every;
  clip.begin = begin;
  clip.end = end;
  const Answers given = to_answers(answers);
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(progress, [&](const Progress& shown) {
    return gallery->annotate(folder, pictures, found, given, options_of(fuse_folders, camera, {}),
                             clip, shown);
  }));
}

}  // namespace

void bind_evidence(py::class_<OpenedGallery>& type) {
  type.def("evidence", &evidence).def("report", &report).def("annotate", &annotate);
}

void bind_documents(py::module_& module) {
  module.def("answers_json",
             [](const py::object& answers) { return to_text(to_json(to_answers(answers))); });
  module.def("answers_csv",
             [](const py::object& answers) { return to_text(to_csv(to_answers(answers))); });
}

}  // namespace longshot::python
