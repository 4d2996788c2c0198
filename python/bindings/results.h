// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// The classes of longshot.results, made from the structs of the same names.
py::object to_python(Size size);
py::object to_python(const std::optional<Eyes>& eyes);    // four numbers or None
py::object to_python(Plane plane);                        // float32, read-only, not copied again
py::object to_python(const std::vector<double>& values);  // a read-only array
py::tuple to_python(const std::vector<Rejection>& rejections);
py::object to_python(const Trained& trained);
py::object to_python(const Enrolled& enrolled);
py::object to_python(const Answers& answers);
py::object to_python(const Verification& verification);
py::object to_python(const Photo& photo);
py::object to_python(Comparison comparison);
py::object to_python(Relit relit);

// A text that may be absent is None then.
py::object optional_text(const std::string& text);

}  // namespace longshot::python
