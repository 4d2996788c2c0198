// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// Names are bytes in the library and need not be UTF-8: what is not goes to Python and back as
// surrogates, as names of files do.
inline py::str to_text(const std::string& bytes) {
  PyObject* const text =
      PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape");
  if (text == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(text);
}

inline std::string to_bytes(const py::str& text) {
  PyObject* const bytes = PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape");
  if (bytes == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::bytes>(bytes);
}

}  // namespace longshot::python
