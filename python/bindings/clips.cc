// SPDX-License-Identifier: Apache-2.0
#include "clips.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "opened_gallery.h"
#include "pictures.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

namespace fs = std::filesystem;

py::object clip_class(const char* name) {
  return py::module_::import("longshot.clips").attr(name);
}

py::object track_object(const Track& track) {
  const py::object face_type = clip_class("TrackFace");
  py::list faces;
  for (const TrackFace& one : track.faces) {
    faces.append(face_type(one.frame, one.time, to_python(one.face), one.weight));
  }
  return clip_class("Track")(to_text(track.source), track.number, py::tuple(faces),
                             py::cast(track));
}

py::object tracks_in(const fs::path& path, std::ptrdiff_t every, double begin, double end,
                     const fs::path& detector, double least_eye_distance, double least_likeness,
                     const py::object& progress) {
  ClipOptions options;
  options.every = every;
  options.begin = begin;
  options.end = end;
  options.faces.detector = detector;
  options.faces.least_eye_distance = least_eye_distance;
  options.faces.least_likeness = least_likeness;
  const ClipTracks found =
      run_for(progress, [&](const Progress& shown) { return find_tracks(path, options, shown); });
  py::list tracks;
  for (const Track& one : found.tracks) tracks.append(track_object(one));
  return clip_class("ClipTracks")(py::tuple(tracks), found.frames, optional_text(found.cut_short));
}

py::tuple crops_of(const Track& track) {
  py::list crops;
  for (Plane& crop : quickly([&] { return track.crops(); })) {
    crops.append(to_python(std::move(crop)));
  }
  return crops;
}

std::ptrdiff_t synthetic_clip(const fs::path& path, std::ptrdiff_t people, const py::object& size,
                              std::ptrdiff_t walk, std::ptrdiff_t together, double far, double near,
                              double noise, double rate, std::uint64_t seed,
                              const py::object& progress) {
  const SyntheticClipOptions options{people, to_size(size), walk, together, far,
                                     near,   noise,         rate, seed};
  return run_for(progress,
                 [&](const Progress& shown) { return write_synthetic_clip(path, options, shown); });
}

py::object identify_tracks(const OpenedGallery& own, const std::vector<Track>& tracks,
                           const std::string& method, const py::object& size, std::ptrdiff_t top,
                           double fpir, const std::optional<Camera>& camera, bool learn_camera,
                           const py::object& progress) {
  IdentifyOptions options;
  options.method = method;
  options.size = to_optional_size(size);
  options.top = top;
  options.fpir = fpir;
  options.camera = camera;
  options.learn_camera = learn_camera;
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(progress, [&](const Progress& shown) {
    return gallery->identify_tracks(tracks, options, shown);
  }));
}

}  // namespace

void bind_clips(py::module_& module) {
  py::class_<Track>(module, "Track").def("crops", &crops_of);
  module.def(
      "is_clip", [](const fs::path& path, bool any_word) { return is_clip(path, any_word); },
      py::arg("path"), py::arg("any_word") = false);
  module.def("find_tracks", &tracks_in);
  module.def("write_synthetic_clip", &synthetic_clip);
}

void bind_track_questions(py::class_<OpenedGallery>& type) {
  type.def("identify_tracks", &identify_tracks);
}

py::dict clip_defaults() {
  const ClipOptions options;
  return py::dict(py::arg("every") = options.every, py::arg("begin") = options.begin,
                  py::arg("end") = options.end,
                  py::arg("least_eye_distance") = options.faces.least_eye_distance,
                  py::arg("least_likeness") = options.faces.least_likeness);
}

py::dict synthetic_clip_defaults() {
  const SyntheticClipOptions options;
  return py::dict(py::arg("people") = options.people, py::arg("size") = to_python(options.size),
                  py::arg("walk") = options.walk, py::arg("together") = options.together,
                  py::arg("far") = options.far, py::arg("near") = options.near,
                  py::arg("noise") = options.noise, py::arg("rate") = options.rate,
                  py::arg("seed") = options.seed);
}

}  // namespace longshot::python
