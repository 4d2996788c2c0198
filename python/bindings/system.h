// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// Keys of galleries, and what concerns the machine or the whole process.
void bind_system(py::module_& module);
// Folders of galleries.
void bind_shards(py::module_& module);

}  // namespace longshot::python
