// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>

#include <longshot/gallery.h>
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

py::object check(const OpenedGallery& own, const py::object& progress) {
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(progress, [&](const Progress& shown) { return gallery->check(shown); }));
}

py::object compact(const OpenedGallery& own, std::int64_t cache_bytes, const py::object& progress) {
  CompactOptions options;
  options.cache_bytes = cache_bytes;
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(
      run_for(progress, [&](const Progress& shown) { return gallery->compact(options, shown); }));
}

void backup(const OpenedGallery& own, const fs::path& out, const py::object& progress) {
  const std::shared_ptr<Gallery> gallery = own.use();
  run(progress, [&](const Progress& shown) { gallery->backup(out, shown); });
}

py::object export_to(const OpenedGallery& own, const fs::path& out, const std::string& share,
                     const py::object& progress) {
  const auto leaving = chosen<Share>({{"photos", Share::photos}, {"templates", Share::templates}},
                                     share, "A gallery shares photos or templates");
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(run_for(
      progress, [&](const Progress& shown) { return gallery->export_to(out, leaving, shown); }));
}

py::object import_from(const OpenedGallery& own, const fs::path& from, const py::object& progress) {
  const std::shared_ptr<Gallery> gallery = own.use();
  return to_python(
      run_for(progress, [&](const Progress& shown) { return gallery->import_from(from, shown); }));
}

py::tuple indexes(const OpenedGallery& own) {
  py::list names;
  for (const std::string& one : own.ask([](Gallery& gallery) { return gallery.indexes(); })) {
    names.append(to_text(one));
  }
  return names;
}

}  // namespace

void bind_upkeep(py::class_<OpenedGallery>& type) {
  type.def("indexes", &indexes)
      .def("check", &check)
      .def("compact", &compact)
      .def("backup", &backup)
      .def("export_to", &export_to)
      .def("import_from", &import_from);
}

}  // namespace longshot::python
