// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pybind11/pybind11.h>

namespace longshot::python {

// From now on an Error of the library is the exception of its kind in longshot.errors.
void translate_errors();

}  // namespace longshot::python
