// SPDX-License-Identifier: Apache-2.0
#include "faces.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "pictures.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

namespace fs = std::filesystem;

py::tuple found_faces(const Picture& picture, const fs::path& detector, double least_eye_distance,
                      double least_likeness) {
  FaceOptions options;
  options.detector = detector;
  options.least_eye_distance = least_eye_distance;
  options.least_likeness = least_likeness;
  py::list found;
  for (const FoundFace& face :
       run_for(py::none(), [&](const Progress&) { return find_faces(picture, options); })) {
    found.append(to_python(face));
  }
  return found;
}

py::tuple faces_cut_out(const Picture& picture, const py::iterable& faces,
                        const py::object& largest) {
  std::vector<FoundFace> wanted;
  for (const py::handle& face : faces) {
    wanted.push_back(to_found_face(py::reinterpret_borrow<py::object>(face)));
  }
  const Size most = to_size(largest);
  py::list crops;
  for (Plane& crop :
       run_for(py::none(), [&](const Progress&) { return cut_out_faces(picture, wanted, most); })) {
    crops.append(to_python(std::move(crop)));
  }
  return crops;
}

py::object header_size(const py::bytes& bytes) {
  const std::optional<Size> size = image_size(std::string(bytes));
  return size ? to_python(*size) : py::none();
}

}  // namespace

void bind_faces(py::module_& module) {
  module.def("find_faces", &found_faces);
  module.def("cut_out_faces", &faces_cut_out);
  module.def("eyes_in_crop", [](const py::object& crop) {
    return to_python(std::optional<Eyes>(eyes_in_crop(to_size(crop))));
  });
  module.def("write_plane", [](const fs::path& path, const py::object& plane) {
    const Plane values = to_plane(plane);
    quickly([&] { write_plane(path, values); });
  });
  module.def("encode_plane", [](const py::object& plane, const std::string& extension) {
    const Plane values = to_plane(plane);
    return py::bytes(quickly([&] { return encode_plane(values, extension); }));
  });
  module.def("image_size", &header_size);
  module.def("person_of_file", [](const fs::path& file) { return to_text(person_of_file(file)); });
  module.def("write_relit", [](const fs::path& folder, const py::object& relit) {
    const Relit values = to_relit(relit);
    quickly([&] { write_relit(folder, values); });
  });
  module.def("write_relit_sheet",
             [](const fs::path& path, const py::object& relit, const py::object& low) {
               const Relit values = to_relit(relit);
               const Size size = to_size(low);
               quickly([&] { write_relit_sheet(path, values, size); });
             });
}

}  // namespace longshot::python
