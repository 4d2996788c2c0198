// SPDX-License-Identifier: Apache-2.0
#include "pictures.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>

#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "kept.h"
#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

using Four = std::array<double, 4>;

std::string shape_text(const py::array& array) {
  return py::str(array.attr("shape"));
}

// Rows of pixels that follow each other are read where they are; any other order is copied once.
Picture array_picture(py::array array) {
  if (!array.dtype().is(py::dtype::of<std::uint8_t>()) &&
      !array.dtype().equal(py::dtype::of<std::uint8_t>())) {
    throw Error(ErrorKind::bad_input, "A picture is an array of uint8, 0 to 255, not of " +
                                          std::string(py::str(array.dtype())) + ".");
  }
  const bool grey = array.ndim() == 2 || (array.ndim() == 3 && array.shape(2) == 1);
  if (!grey && !(array.ndim() == 3 && array.shape(2) == 3)) {
    throw Error(ErrorKind::bad_input,
                "A picture has the shape (rows, columns) or (rows, columns, 3), not " +
                    shape_text(array) + ".");
  }
  const Size size{array.shape(0), array.shape(1)};
  const py::ssize_t channels = grey ? 1 : 3;
  const auto packed = [&] {
    return array.strides(1) == channels && (channels == 1 || array.strides(2) == 1) &&
           (size.rows <= 1 || std::abs(array.strides(0)) >= size.cols * channels);
  };
  if (array.size() > 0 && !packed()) {
    array = py::module_::import("numpy").attr("ascontiguousarray")(array);
  }
  const auto* const pixels = static_cast<const std::uint8_t*>(array.data());
  // A single row may have any stride.
  const std::ptrdiff_t stride = size.rows > 1 ? array.strides(0) : 0;
  return grey ? Picture::grey(pixels, size, stride, kept(array))
              : Picture::rgb(pixels, size, stride, kept(array));
}

bool is_array_like(const py::object& source) {
  return py::hasattr(source, "__array_interface__") || py::hasattr(source, "__array__");
}

Picture picture_of(const py::object& source, const std::optional<Four>& eyes,
                   const std::optional<Four>& box, bool aligned, const py::str& person,
                   const std::optional<py::str>& name) {
  Picture picture = to_picture(source, name ? to_bytes(*name) : "");
  if (eyes) picture.eyes = Eyes{{(*eyes)[0], (*eyes)[1]}, {(*eyes)[2], (*eyes)[3]}};
  if (box) picture.box = Box{(*box)[0], (*box)[1], (*box)[2], (*box)[3]};
  if (aligned) picture.aligned = true;
  if (py::len(person) > 0) picture.person = to_bytes(person);
  return picture;
}

py::object box_of(const Picture& picture) {
  const auto& box = picture.box;
  return box ? py::object(py::make_tuple(box->x, box->y, box->width, box->height)) : py::none();
}

py::tuple load_pictures(const std::vector<std::filesystem::path>& paths, const std::string& purpose,
                        const std::string& person_from, const std::string& unusable) {
  const auto meant = chosen<Purpose>({{"enroll", Purpose::enroll},
                                      {"identify", Purpose::identify},
                                      {"train", Purpose::train},
                                      {"any", Purpose::any}},
                                     purpose, "The purpose is enroll, identify, train or any");
  const auto from = chosen<PersonFrom>(
      {{"anything", PersonFrom::anything},
       {"layout", PersonFrom::layout},
       {"folder", PersonFrom::folder},
       {"stem", PersonFrom::stem},
       {"manifest", PersonFrom::manifest}},
      person_from, "People are named by anything, layout, folder, stem or manifest");
  const auto bad = chosen<Unusable>({{"reject", Unusable::reject}, {"keep", Unusable::keep}},
                                    unusable, "What is unusable is to reject or keep");
  const PictureList list =
      run_for(py::none(), [&](const Progress&) { return load(paths, meant, bad, from); });
  return py::make_tuple(py::cast(list.pictures), to_python(list.rejections));
}

}  // namespace

Picture to_picture(const py::object& source, const std::string& name) {
  const auto named = [&](Picture picture) {
    if (!name.empty()) picture.name = name;
    return picture;
  };
  if (py::isinstance<py::array>(source)) {  // first, as there may be thousands
    return named(array_picture(py::reinterpret_borrow<py::array>(source)));
  }
  if (py::isinstance<Picture>(source)) return named(source.cast<Picture>());
  if (PyBytes_Check(source.ptr())) return named(Picture::encoded(source.cast<std::string>()));
  if (PyByteArray_Check(source.ptr()) || PyMemoryView_Check(source.ptr())) {
    const py::object bytes = py::reinterpret_steal<py::object>(PyBytes_FromObject(source.ptr()));
    if (!bytes) throw py::error_already_set();
    return named(Picture::encoded(bytes.cast<std::string>()));
  }
  if (PyUnicode_Check(source.ptr()) || py::hasattr(source, "__fspath__")) {
    return named(Picture::file(source.cast<std::filesystem::path>()));
  }
  if (is_array_like(source)) {
    const py::array array = py::array::ensure(source);
    if (array) return named(array_picture(array));
  }
  PyErr_Clear();
  throw Error(ErrorKind::bad_input,
              "A picture is a path, the bytes of an image file or an array, not a " +
                  std::string(Py_TYPE(source.ptr())->tp_name) + ".");
}

std::vector<Picture> to_pictures(const py::iterable& sources, bool aligned,
                                 const std::string& name) {
  std::vector<Picture> pictures;
  for (const py::handle& item : sources) {
    const auto source = py::reinterpret_borrow<py::object>(item);
    const std::string own = name + " " + std::to_string(pictures.size());
    const bool has_name = !py::isinstance<py::array>(source) &&
                          (py::isinstance<Picture>(source) || PyUnicode_Check(source.ptr()) ||
                           py::hasattr(source, "__fspath__"));
    try {
      pictures.push_back(to_picture(source, has_name ? "" : own));
    } catch (const Error& error) {
      pictures.push_back(Picture::unusable(error.what(), own));
    }
    if (aligned) pictures.back().aligned = true;
  }
  return pictures;
}

Size to_size(const py::object& size) {
  if (py::isinstance<py::str>(size)) return parse_size(size.cast<std::string>());
  try {
    const auto both = size.cast<std::array<std::ptrdiff_t, 2>>();
    return {both[0], both[1]};
  } catch (const py::cast_error&) {
    throw Error(ErrorKind::bad_input, "A size is (rows, columns) or a text like \"12x10\", not " +
                                          std::string(py::repr(size)) + ".");
  }
}

std::optional<Size> to_optional_size(const py::object& size) {
  return size.is_none() ? std::nullopt : std::optional(to_size(size));
}

void bind_pictures(py::module_& module) {
  py::class_<Picture>(
      module, "Picture",
      "A path, the bytes of an image file or a uint8 array, grey or RGB, and what is "
      "known about it.\n\n"
      "``eyes`` are x and y of the left one in the image, then of the right one; "
      "``box`` is x, y,\nwidth and height, in pixels. ``aligned``: it is the face "
      "crop as it is. An array whose rows\nare whole is not copied: it must not "
      "change while it is used.\n\n"
      ">>> Picture(b\"...\", person=\"anna\", eyes=(80, 105, 137, 111)).person\n"
      "'anna'")
      .def(py::init(&picture_of), py::arg("source"), py::kw_only(), py::arg("eyes") = py::none(),
           py::arg("box") = py::none(), py::arg("aligned") = false, py::arg("person") = "",
           py::arg("name") = py::none())
      .def_property_readonly("eyes", [](const Picture& one) { return to_python(one.eyes); })
      .def_property_readonly("box", &box_of)
      .def_readonly("aligned", &Picture::aligned)
      .def_property_readonly("person", [](const Picture& one) { return to_text(one.person); })
      .def_property_readonly("name", [](const Picture& one) { return to_text(one.name); });
  module.def("load", &load_pictures, py::arg("paths"), py::arg("purpose"), py::arg("person_from"),
             py::arg("unusable"));
}

}  // namespace longshot::python
