// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <longshot/shards.h>
#include <pybind11/stl/filesystem.h>

#include "results.h"
#include "system.h"
#include "work.h"

namespace longshot::python {

namespace fs = std::filesystem;

void bind_shards(py::module_& module) {
  module.def("is_shards", &is_shards, py::arg("path"),
             "Whether a path is a folder of shards rather than one gallery.\n\n"
             ">>> is_shards(\"people.gallery\")\nFalse");
  module.def("split_gallery",
             [](const fs::path& gallery, const fs::path& folder, std::ptrdiff_t shards,
                const Key& key, const py::object& progress) {
               return to_python(run_for(progress, [&](const Progress& shown) {
                 return split_gallery(gallery, folder, shards, key, shown);
               }));
             });
  module.def("merge_shards", [](const fs::path& folder, const fs::path& gallery, const Key& key,
                                const py::object& progress) {
    return to_python(run_for(progress, [&](const Progress& shown) {
      return merge_shards(folder, gallery, key, shown);
    }));
  });
  module.def("add_shard", [](const fs::path& folder, const Key& key, const py::object& progress) {
    return to_python(
        run_for(progress, [&](const Progress& shown) { return add_shard(folder, key, shown); }));
  });
  module.def(
      "rebalance_shards", [](const fs::path& folder, const Key& key, const py::object& progress) {
        return to_python(run_for(
            progress, [&](const Progress& shown) { return rebalance_shards(folder, key, shown); }));
      });
  module.def(
      "check_shards", [](const fs::path& folder, const Key& key, const py::object& progress) {
        return to_python(run_for(
            progress, [&](const Progress& shown) { return check_shards(folder, key, shown); }));
      });
}

}  // namespace longshot::python
