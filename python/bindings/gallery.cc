// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <longshot/longshot.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "clips.h"
#include "opened_gallery.h"
#include "pictures.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

namespace fs = std::filesystem;

py::object enroll(const OpenedGallery& own, const std::vector<Picture>& pictures,
                  const py::str& person, bool force, const py::object& high, const fs::path& model,
                  bool allow_none, bool refresh, const fs::path& detector,
                  const py::object& progress) {
  EnrollOptions options;
  options.person = to_bytes(person);
  options.force = force;
  options.high = to_optional_size(high);
  options.model = model;
  options.allow_none = allow_none;
  options.refresh = refresh;
  options.detector = detector;
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(
      progress, [&](const Progress& shown) { return gallery->enroll(pictures, options, shown); }));
}

py::object identify(const OpenedGallery& own, const std::vector<Picture>& probes,
                    const std::string& method, const py::object& size, std::ptrdiff_t top,
                    double fpir, bool fuse_folders, const std::string& faces,
                    const std::optional<Camera>& camera, bool learn_camera,
                    const fs::path& detector, const py::object& progress) {
  IdentifyOptions options;
  options.method = method;
  options.size = to_optional_size(size);
  options.top = top;
  options.fpir = fpir;
  options.fuse_folders = fuse_folders;
  options.faces = chosen<Faces>({{"largest", Faces::largest}, {"all", Faces::all}}, faces,
                                "The faces of a picture are largest or all");
  options.camera = camera;
  options.learn_camera = learn_camera;
  options.detector = detector;
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(
      progress, [&](const Progress& shown) { return gallery->identify(probes, options, shown); }));
}

py::object verify(const OpenedGallery& own, const std::vector<Picture>& pictures,
                  const py::str& person, const std::string& method, const py::object& size,
                  const std::optional<Camera>& camera, double fmr, const fs::path& detector,
                  const py::object& progress) {
  VerifyOptions options;
  options.method = method;
  options.size = to_optional_size(size);
  options.camera = camera;
  options.fmr = fmr;
  options.detector = detector;
  const std::string name = to_bytes(person);
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(progress, [&](const Progress& shown) {
    return gallery->verify(pictures, name, options, shown);
  }));
}

py::tuple learn_camera(const OpenedGallery& own, const std::vector<Picture>& crops,
                       const py::object& size, const fs::path& detector,
                       const py::object& progress) {
  CameraOptions options;
  options.size = to_optional_size(size);
  options.detector = detector;
  const std::shared_ptr<Gallery> gallery = own.use();
  CameraReport report = run_for(progress, [&](const Progress& shown) {
    return gallery->learn_camera(crops, options, shown);
  });
  return py::make_tuple(report.camera, to_python(std::move(report.sheet)), report.other_sizes,
                        to_python(report.rejections));
}

py::object compare(const OpenedGallery& own, const Picture& probe, const py::str& person,
                   const py::object& size, const std::optional<Camera>& camera,
                   std::ptrdiff_t photo, const fs::path& detector) {
  CompareOptions options;
  options.size = to_optional_size(size);
  options.camera = camera;
  options.photo = photo;
  options.detector = detector;
  const std::string name = to_bytes(person);
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(
      run_for(py::none(), [&](const Progress&) { return gallery->compare(probe, name, options); }));
}

void prepare(const OpenedGallery& own, const py::object& size, const std::string& method,
             const py::object& progress) {
  const Size wanted = to_size(size);
  const std::shared_ptr<Gallery> gallery = own.use();
  run(progress, [&](const Progress& shown) { gallery->prepare(wanted, method, shown); });
}

py::tuple person_of(const Person& person) {
  return py::make_tuple(to_text(person.name), person.photos, to_text(person.enrolled_at));
}

py::list people(const OpenedGallery& own) {
  py::list names;
  for (const Person& one : own.ask([](Gallery& gallery) { return gallery.people(); })) {
    names.append(person_of(one));
  }
  return names;
}

py::tuple photos(const OpenedGallery& own, const py::str& person) {
  const std::string name = to_bytes(person);
  py::list shown;
  for (const Photo& one : own.ask([&](Gallery& gallery) { return gallery.photos(name); })) {
    shown.append(to_python(one));
  }
  return shown;
}

void bind_people(py::class_<OpenedGallery>& type) {
  type.def("people", &people)
      .def("person_count",
           [](const OpenedGallery& own) {
             return own.ask([](Gallery& gallery) { return gallery.person_count(); });
           })
      .def("photo_count",
           [](const OpenedGallery& own) {
             return own.ask([](Gallery& gallery) { return gallery.photo_count(); });
           })
      .def("person",
           [](const OpenedGallery& own, const py::str& name) {
             const std::string wanted = to_bytes(name);
             return person_of(own.ask([&](Gallery& gallery) { return gallery.person(wanted); }));
           })
      .def("photos", &photos)
      .def("face",
           [](const OpenedGallery& own, const py::str& person, std::int64_t id) {
             const std::string name = to_bytes(person);
             return to_python(own.ask([&](Gallery& gallery) { return gallery.face(name, id); }));
           })
      .def("merge",
           [](const OpenedGallery& own, const py::str& from, const py::str& into) {
             const std::string one = to_bytes(from);
             const std::string other = to_bytes(into);
             own.ask([&](Gallery& gallery) { gallery.merge(one, other); });
           })
      .def("rename",
           [](const OpenedGallery& own, const py::str& from, const py::str& to) {
             const std::string old_name = to_bytes(from);
             const std::string new_name = to_bytes(to);
             own.ask([&](Gallery& gallery) { gallery.rename(old_name, new_name); });
           })
      .def("remove",
           [](const OpenedGallery& own, const py::str& person) {
             const std::string name = to_bytes(person);
             own.ask([&](Gallery& gallery) { gallery.remove(name); });
           })
      .def("remove_photo",
           [](const OpenedGallery& own, const py::str& person, std::int64_t id) {
             const std::string name = to_bytes(person);
             own.ask([&](Gallery& gallery) { gallery.remove_photo(name, id); });
           })
      .def("erasure_pending", [](const OpenedGallery& own) {
        return own.ask([](Gallery& gallery) { return gallery.erasure_pending(); });
      });
}

}  // namespace

void bind_camera(py::module_& module) {
  py::class_<Camera>(module, "Camera")
      .def_static("read",
                  [](const fs::path& path) { return quickly([&] { return Camera::read(path); }); })
      .def_static("parse", [](const std::string& json) { return Camera::parse(json); })
      .def("write",
           [](const Camera& camera, const fs::path& path) { quickly([&] { camera.write(path); }); })
      .def("json", &Camera::json)
      .def_property_readonly("size", [](const Camera& camera) { return to_python(camera.size()); })
      .def_property_readonly("crops", &Camera::crops)
      .def_property_readonly("learnt", &Camera::learnt)
      .def("figures", [](const Camera& camera) { return to_python(camera.figures()); });
}

void bind_gallery(py::module_& module) {
  py::class_<OpenedGallery> type(module, "Gallery");
  type.def(py::init<const fs::path&, bool, std::optional<bool>, const Key&>(), py::arg("path"),
           py::arg("create"), py::arg("read_only"), py::arg("key"))
      .def("close", &OpenedGallery::close)
      .def_property_readonly("closed", &OpenedGallery::closed)
      .def("enroll", &enroll)
      .def("identify", &identify)
      .def("verify", &verify)
      .def("learn_camera", &learn_camera)
      .def("compare", &compare)
      .def("prepare", &prepare);
  bind_people(type);
  bind_track_questions(type);
  bind_upkeep(type);
  bind_evidence(type);
  bind_audit(type);
}

}  // namespace longshot::python
