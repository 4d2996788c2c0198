// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// The package's classes, made from the structs of the same names.
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
py::object to_python(Evidence evidence);
py::object to_python(const Annotated& annotated);
py::object to_python(Relit relit);
py::object to_python(const FoundFace& face);
py::object to_python(const CameraFigures& figures);
py::object to_python(const Checked& checked);
py::object to_python(const Sharded& done);
py::object to_python(const Compacted& compacted);
py::object to_python(const Transferred& transferred);
py::object to_python(const Finding& finding);

// And back, for calls that take what others returned. Throw Error for anything else.
Answers to_answers(const py::object& answers);
FoundFace to_found_face(const py::object& face);
Plane to_plane(const py::object& array);  // of real numbers, or of uint8, which become 0 to 1
Relit to_relit(const py::object& relit);

// A text that may be absent is None then.
py::object optional_text(const std::string& text);

}  // namespace longshot::python
