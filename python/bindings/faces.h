// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// Faces that are looked for, and images that are written.
void bind_faces(py::module_& module);

}  // namespace longshot::python
