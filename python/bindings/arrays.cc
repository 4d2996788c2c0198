// SPDX-License-Identifier: Apache-2.0
#include "arrays.h"

#include <cstdint>
#include <string>
#include <utility>

#include <longshot/error.h>

namespace longshot::python {
namespace {

bool is_bytes(const py::array& array) {
  return array.dtype().kind() == 'u' && array.itemsize() == 1;
}

}  // namespace

Rows to_rows(const py::object& source, const char* name) {
  const py::array array = py::array::ensure(source);
  if (!array) PyErr_Clear();
  if (!array || array.ndim() != 2 ||
      std::string("fiu").find(array.dtype().kind()) == std::string::npos) {
    throw Error(ErrorKind::bad_input,
                std::string(name) + " are a matrix of real numbers, one in each row.");
  }
  return array.attr("astype")("float64", py::arg("order") = "C", py::arg("copy") = false);
}

ColumnsView view_of(const Rows& rows) {
  return {rows.data(), rows.shape(1), rows.shape(0)};
}

Images to_images(const py::object& source) {
  const py::array array = py::array::ensure(source);
  if (!array) PyErr_Clear();
  if (!array || (array.dtype().kind() != 'f' && !is_bytes(array))) {
    throw Error(ErrorKind::bad_input,
                "Images are an array of uint8, 0 to 255, or of real numbers, 0 to 1.");
  }
  if (array.ndim() != 2 && array.ndim() != 3) {
    throw Error(ErrorKind::bad_input,
                "Images have the shape (rows, columns) or (number, rows, columns), not " +
                    std::string(py::str(array.attr("shape"))) + ".");
  }
  const Rows values = array.attr("astype")("float64", py::arg("order") = "C");
  const py::ssize_t axis = array.ndim() - 2;
  Images images{{array.shape(axis), array.shape(axis + 1)},
                {values.data(), values.data() + values.size()}};
  if (is_bytes(array)) {
    for (double& value : images.values) value /= 255.0;
  }
  return images;
}

py::array to_array(std::vector<double> values, const std::vector<py::ssize_t>& shape) {
  auto* const kept = new std::vector<double>(std::move(values));
  const py::capsule owner(kept, [](void* one) { delete static_cast<std::vector<double>*>(one); });
  py::array_t<double> array(shape, kept->data(), owner);
  array.attr("flags").attr("writeable") = false;
  return array;
}

py::array to_python(Columns columns) {
  return to_array(std::move(columns.values), {columns.cols, columns.rows});
}

py::array to_python(Images images) {
  const std::ptrdiff_t count = images.count();
  return to_array(std::move(images.values), {count, images.size.rows, images.size.cols});
}

}  // namespace longshot::python
