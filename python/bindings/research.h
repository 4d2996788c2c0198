// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <longshot/recognizer.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

void bind_sparse(py::module_& module);
void bind_methods(py::module_& module);

// Makes methods of a class of Python, or of whatever else can be called for one, that have learn,
// enrol and distances.
MethodMaker maker_of(const py::object& make);

}  // namespace longshot::python
