// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <longshot/audit.h>
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

// Who is logged for what this thread does; empty: the user of the process. Returns who it was
// before. Throws Error for what is no name.
std::string set_actor(const std::string& actor);
const std::string& actor();

// The same for what is done at once.
template <typename Work>
auto quickly(const Work& work) {
  using Result = decltype(work());
  const py::gil_scoped_release release;
  if (actor().empty()) return work();
  if constexpr (std::is_void_v<Result>) {
    run_as(actor(), work);
  } else {
    std::optional<Result> result;
    run_as(actor(), [&] { result.emplace(work()); });
    return std::move(*result);
  }
}

// Throws Error if the caller is a progress callback.
void refuse_in_callback();

}  // namespace longshot::python
