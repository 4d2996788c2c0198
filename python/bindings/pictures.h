// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <longshot/picture.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// A path, the bytes of an image file, a uint8 array or a Picture. Throws Error for all else.
Picture to_picture(const py::object& source, const std::string& name);

// The same for each of the items; those that are none are reported in their place by the calls
// that get them. Such as have no name of their own are called `name` and their number.
std::vector<Picture> to_pictures(const py::iterable& sources, bool aligned,
                                 const std::string& name);

// (rows, cols) or "12x10".
Size to_size(const py::object& size);
std::optional<Size> to_optional_size(const py::object& size);

// One of the choices by its name. Throws Error with that beginning of a sentence.
template <typename Choice>
Choice chosen(const std::map<std::string, Choice>& choices, const std::string& name,
              const std::string& sentence) {
  const auto found = choices.find(name);
  if (found != choices.end()) return found->second;
  throw Error(ErrorKind::bad_input, sentence + ", not " + name + ".");
}

void bind_pictures(py::module_& module);

}  // namespace longshot::python
