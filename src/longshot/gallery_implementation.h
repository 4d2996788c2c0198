// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "longshot/core/interrupt.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/audit_log.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/open_gallery.h"

namespace longshot::v0 {

// What is behind the door of a gallery, for the files that make it. Not installed.
class Gallery::Implementation {
 public:
  Implementation(const std::filesystem::path& path, GalleryStore::Access access, const Key& key)
      : store(path, access, {.key = secret_of(key)}),
        writable_(access != GalleryStore::Access::kRead) {}
  // A file that was made for nothing is taken away again.
  ~Implementation() {
    opened_.reset();
    const DiscardUnused discard(store);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  // Runs the work of one call on `store`, nobody else's meanwhile.
  template <typename Work>
  auto call(const Work& work, const v0::Progress& callback = {}) {
    const std::lock_guard lock(mutex_);
    progress.use(callback);
    const InterruptScope interrupt([this] { progress.look(); });
    return door::translated(work);
  }
  // Runs work(opened gallery, progress), which other calls need not wait for.
  template <typename Work>
  auto ask(const Work& work, const v0::Progress& callback) {
    return door::translated([&] {
      door::CallbackProgress own_progress;
      own_progress.use(callback);
      const InterruptScope interrupt([&] { own_progress.look(); });
      return work(opened(), own_progress);
    });
  }
  // If the gallery asks for a log, adds the acts that make(keys) gives, which change nothing;
  // before they are answered, so that none is answered that could not be logged.
  template <typename Make>
  void note(GalleryStore& connection, const Make& make) const {
    if (!is_audited(connection)) return;
    const std::vector<AuditAct> acts = make(audit_keys(connection));
    if (writable_) return append_audit(connection, acts);
    GalleryStore writing(store.path(), GalleryStore::Access::kWriteIfPossible,
                         {.key = store.key()});
    append_audit(writing, acts);
  }
  // Runs a change, logged in its transaction.
  template <typename Change>
  void change(AuditAct act, const Change& change_it) {
    GalleryTransaction transaction(store);
    change_it();
    act.changes = true;
    append_audit(store, {act});
    transaction.commit();
  }
  longshot::Person find(const std::string& name) const {
    const std::optional<longshot::Person> person = store.find_person(name);
    if (person) return *person;
    throw Error(ErrorKind::not_found, "There is no person named \"{}\" in {}.", name,
                store.path().string());
  }

  GalleryStore store;
  door::CallbackProgress progress;

 private:
  std::shared_ptr<OpenGallery> opened() {
    const std::lock_guard lock(mutex_);
    if (!opened_) {
      opened_ = std::make_shared<OpenGallery>(
          store.path(),
          writable_ ? GalleryStore::Access::kWriteIfPossible : GalleryStore::Access::kRead,
          store.key());
    }
    return opened_;
  }

  bool writable_;
  std::mutex mutex_;                     // guards the store, its progress, and the next
  std::shared_ptr<OpenGallery> opened_;  // made by the first question
};

}  // namespace longshot::v0
