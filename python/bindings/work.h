// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include <longshot/options.h>
#include <pybind11/pybind11.h>

namespace longshot::python {

namespace py = pybind11;

// Runs `work` without the GIL. Its progress goes to `callback`, unless that is None; False stops
// the work, and so does an exception there, which is then the caller's. In Python's main thread
// Ctrl-C stops it as well. Throws Error if called by a progress callback, for which the library
// would wait for ever.
void run(const py::object& callback, const std::function<void(const Progress&)>& work);

template <typename Work>
auto run_for(const py::object& callback, const Work& work) {
  std::optional<decltype(work(Progress()))> result;
  run(callback, [&](const Progress& progress) { result.emplace(work(progress)); });
  return std::move(*result);
}

// The same for what is done at once.
template <typename Work>
auto quickly(const Work& work) {
  const py::gil_scoped_release release;
  return work();
}

// Throws Error if the caller is a progress callback.
void refuse_in_callback();

}  // namespace longshot::python
