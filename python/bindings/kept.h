// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// A Python object that is kept from any thread, which need not have the GIL when it lets go.
using Kept = std::shared_ptr<PyObject>;

inline Kept kept(const py::object& object) {
  return {object.inc_ref().ptr(), [](PyObject* one) {
            if (!Py_IsInitialized()) return;
            const py::gil_scoped_acquire gil;
            Py_DECREF(one);
          }};
}

// With the GIL.
inline py::object object_of(const Kept& one) {
  return py::reinterpret_borrow<py::object>(one.get());
}

}  // namespace longshot::python
