// SPDX-License-Identifier: Apache-2.0
#include "system.h"

#include <filesystem>
#include <string>
#include <vector>

#include <longshot/longshot.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "results.h"
#include "text.h"
#include "work.h"

namespace longshot::python {
namespace {

namespace fs = std::filesystem;

py::tuple findings_of(const std::vector<Finding>& findings) {
  py::list shown;
  for (const Finding& one : findings) shown.append(to_python(one));
  return shown;
}

void bind_keys(py::module_& module) {
  py::class_<Key>(module, "Key",
                  "What opens an encrypted gallery: a file, an open descriptor or a passphrase.\n\n"
                  ">>> bool(Key.from_passphrase(\"correct horse battery staple\")), bool(Key())\n"
                  "(True, False)")
      .def(py::init<>())
      .def_static(
          "from_file",
          [](const fs::path& path) { return quickly([&] { return Key::from_file(path); }); })
      .def_static(
          "from_descriptor",
          [](int descriptor) { return quickly([&] { return Key::from_descriptor(descriptor); }); })
      .def_static("from_passphrase",
                  [](const std::string& passphrase) {
                    return quickly([&] { return Key::from_passphrase(passphrase); });
                  })
      .def("__bool__", [](const Key& key) { return static_cast<bool>(key); });
  module.def("encrypt_gallery", [](const fs::path& gallery, const Key& key) {
    run(py::none(), [&](const Progress&) { encrypt_gallery(gallery, key); });
  });
  module.def("decrypt_gallery", [](const fs::path& gallery, const Key& key) {
    run(py::none(), [&](const Progress&) { decrypt_gallery(gallery, key); });
  });
  module.def(
      "rekey_gallery", [](const fs::path& gallery, const Key& key, const Key& new_key, bool full) {
        run(py::none(), [&](const Progress&) { rekey_gallery(gallery, key, new_key, full); });
      });
  module.def("seal_file", [](const fs::path& file, const fs::path& sealed, const Key& key) {
    run(py::none(), [&](const Progress&) { seal_file(file, sealed, key); });
  });
  module.def("unseal_file", [](const fs::path& sealed, const fs::path& file, const Key& key) {
    run(py::none(), [&](const Progress&) { unseal_file(sealed, file, key); });
  });
}

}  // namespace

void bind_system(py::module_& module) {
  bind_keys(module);
  module.def("examine_system", [](const fs::path& detector) {
    return findings_of(
        run_for(py::none(), [&](const Progress&) { return examine_system(detector); }));
  });
  module.def("examine_gallery", [](const fs::path& gallery, const Key& key) {
    return findings_of(
        run_for(py::none(), [&](const Progress&) { return examine_gallery(gallery, key); }));
  });
  module.def("instruction_set", &instruction_set,
             "Of the inner loops of searching, chosen when the program runs.\n\n"
             ">>> instruction_set() in (\"avx2\", \"portable\")\nTrue");
  module.def("protocol_names", &protocol_names,
             "The protocols of ``evaluate``.\n\n>>> \"pie\" in protocol_names()\nTrue");
  module.def("time_left", &time_left, py::arg("done"), py::arg("total"), py::arg("seconds"),
             "After so many steps of how many in so many seconds, for a progress callback.\n\n"
             ">>> time_left(1, 3, 2.0)\n'4s left'");
  module.def("set_decoders_confined", &set_decoders_confined, py::arg("confined"),
             "Whether pictures are decoded in processes of their own from now on, as clips always\n"
             "are; the pixels are the same.\n\n"
             ">>> set_decoders_confined(False)");
  module.def("set_helper_folder", &set_helper_folder, py::arg("folder"),
             "The folder of the helper programs. Empty, as at first: what the\n"
             "variable LONGSHOT_HELPERS says, otherwise where they are installed.\n\n"
             ">>> set_helper_folder(\"\")");
  module.def("set_actor", [](const py::str& actor) { return to_text(set_actor(to_bytes(actor))); });
  module.def("likelihood_ratio", &likelihood_ratio);
  module.def("set_threads", &set_threads, py::arg("count"),
             "Threads of all later work in this process, 0: all cores. Never changes a result.\n\n"
             ">>> set_threads(0)");
  module.def("threads", &threads, "Threads that work uses.\n\n>>> threads() >= 1\nTrue");
  module.def("version", &version);
}

}  // namespace longshot::python
