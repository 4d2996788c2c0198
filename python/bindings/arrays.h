// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <longshot/recognizer.h>
#include <longshot/sparse.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// A matrix whose rows are what the library calls columns: not copied if it is of float64 in C
// order. Throws Error for what is no matrix of real numbers; `name` begins the sentence.
using Rows = py::array_t<double, py::array::c_style>;
Rows to_rows(const py::object& source, const char* name);
ColumnsView view_of(const Rows& rows);

// (rows, columns) or (n, rows, columns), of uint8 or of real numbers from 0 to 1. Copied.
Images to_images(const py::object& source);

// Read-only and not copied again: (columns, rows), and (n, rows, columns).
py::array to_python(Columns columns);
py::array to_python(Images images);
// Of that shape.
py::array to_array(std::vector<double> values, const std::vector<py::ssize_t>& shape);

}  // namespace longshot::python
