// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

void bind_evaluate(py::module_& module);

}  // namespace longshot::python
