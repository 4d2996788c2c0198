// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

class OpenedGallery;

// Clips, and the faces that are followed through them.
void bind_clips(py::module_& module);
void bind_track_questions(py::class_<OpenedGallery>& type);

// Of the options, for a test.
py::dict clip_defaults();
py::dict synthetic_clip_defaults();

}  // namespace longshot::python
