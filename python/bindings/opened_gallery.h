// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <longshot/gallery.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include "work.h"

namespace longshot::python {

// A gallery that any thread may close while others use it. It belongs to the process that opened
// it: its database must not be touched by a child, neither used nor closed.
class OpenedGallery {
 public:
  // `read_only`: nothing where the file or its folder are write-protected.
  OpenedGallery(const std::filesystem::path& path, bool create, std::optional<bool> read_only,
                const Key& key)
      : process_(getpid()) {
    if (create && read_only != false) {
      throw Error(ErrorKind::bad_input, "A gallery that is only read cannot be created.");
    }
    refuse_in_callback();
    const Access access = !read_only   ? Access::write_if_possible
                          : *read_only ? Access::read
                                       : Access::write;
    quickly([&] {
      gallery_ = std::make_shared<Gallery>(create ? Gallery::open_or_create(path, key)
                                                  : Gallery::open(path, access, key));
    });
  }
  ~OpenedGallery() { close(); }
  OpenedGallery(const OpenedGallery&) = delete;
  OpenedGallery& operator=(const OpenedGallery&) = delete;

  void close() {
    const py::gil_scoped_release release;
    std::shared_ptr<Gallery> last;
    {
      const std::lock_guard lock(mutex_);
      last.swap(gallery_);
    }
    if (last && getpid() != process_) new std::shared_ptr<Gallery>(std::move(last));
  }
  bool closed() const {
    const std::lock_guard lock(mutex_);
    return gallery_ == nullptr;
  }
  std::shared_ptr<Gallery> use() const {
    refuse_in_callback();
    const std::lock_guard lock(mutex_);
    if (!gallery_) throw Error(ErrorKind::bad_input, "The gallery is closed.");
    if (getpid() != process_) {
      throw Error(ErrorKind::bad_input,
                  "The gallery was opened by another process: open it again in this one.");
    }
    return gallery_;
  }
  // Runs work(gallery), which is done at once.
  template <typename Work>
  auto ask(const Work& work) const {
    const std::shared_ptr<Gallery> gallery = use();
    return quickly([&] { return work(*gallery); });
  }

 private:
  pid_t process_;
  mutable std::mutex mutex_;
  std::shared_ptr<Gallery> gallery_;
};

}  // namespace longshot::python
