// SPDX-License-Identifier: Apache-2.0
#include "errors.h"

#include <exception>

#include <longshot/error.h>

#include "text.h"

namespace longshot::python {
namespace {

const char* exception_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_input:
      return "BadInput";
    case ErrorKind::not_found:
      return "NotFound";
    case ErrorKind::already_there:
      return "AlreadyThere";
    case ErrorKind::damaged:
      return "Damaged";
    case ErrorKind::busy:
      return "Busy";
    case ErrorKind::read_only:
      return "ReadOnly";
    case ErrorKind::no_space:
      return "NoSpace";
    case ErrorKind::cancelled:
      return "Cancelled";
    case ErrorKind::unsupported:
      return "Unsupported";
  }
  return "LongshotError";
}

}  // namespace

void translate_errors() {
  py::register_local_exception_translator([](std::exception_ptr raised) {
    try {
      if (raised) std::rethrow_exception(raised);
    } catch (const Error& error) {
      const py::object type =
          py::module_::import("longshot.errors").attr(exception_of(error.kind()));
      PyErr_SetObject(type.ptr(), to_text(error.what()).ptr());
    }
  });
}

}  // namespace longshot::python
