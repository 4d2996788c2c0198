// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

class OpenedGallery;

void bind_upkeep(py::class_<OpenedGallery>& type);
void bind_evidence(py::class_<OpenedGallery>& type);
void bind_audit(py::class_<OpenedGallery>& type);
void bind_documents(py::module_& module);
void bind_camera(py::module_& module);
void bind_gallery(py::module_& module);

}  // namespace longshot::python
