// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "longshot/core/interrupt.h"
#include "longshot/door.h"  // first: it keeps the two faces apart
#include "longshot/gallery/audit_log.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/open_gallery.h"
#include "longshot/pipeline/open_shards.h"

namespace longshot::v0 {

// What is behind the door of a gallery, for the files that make it. Not installed.
class Gallery::Implementation {
 public:
  Implementation(const std::filesystem::path& path, GalleryStore::Access access, const Key& key)
      : store_(path, access, {.key = secret_of(key)}),
        path_(path),
        writable_(access != GalleryStore::Access::kRead) {
    require_no_logged_shard(store_);
  }
  // Of a folder; what its shards have in common is in the store.
  explicit Implementation(std::shared_ptr<OpenShards> shards)
      : store_(shards->path() / kSharedGallery, GalleryStore::Access::kRead,
               {.key = shards->key()}),
        path_(shards->path()),
        writable_(false),
        shards_(std::move(shards)),
        folder_logged_(is_audited(store_)) {}
  // A file that was made for nothing is taken away again.
  ~Implementation() {
    opened_.reset();
    const DiscardUnused discard(store_);
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  // Runs the work of one call on the store, nobody else's meanwhile.
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
    if (connection.writable()) return append_audit(connection, acts);
    GalleryStore writing = open_log();
    append_audit(writing, acts);
  }
  // Runs a change, logged in its transaction. The people of a folder are in other files than the
  // head of its log, so there the act is logged before it begins.
  template <typename Change>
  void change(AuditAct act, const Change& change_it) {
    act.changes = true;
    if (shards_) {
      GalleryStore log = open_log();
      append_change(log, act);
      change_it();
      return;
    }
    GalleryTransaction transaction(store_);
    change_it();
    append_audit(store_, {act});
    transaction.commit();
  }
  // The same for a question to a gallery that was opened.
  template <typename Make>
  void note_question(const Make& make) const {
    if (!shards_) return note(*opened_->connect(), make);
    if (!folder_logged_) return;
    GalleryStore log = open_log();
    note(log, make);
  }
  // A connection of its own to what keeps the log: the file, or what all shards have in common.
  GalleryStore open_log() const {
    return {store_.path(), GalleryStore::Access::kWriteIfPossible, {.key = store_.key()}};
  }
  // Nobody else can, while this has the folder.
  void set_folder_logged(bool on) { folder_logged_ = on; }
  // The same for what a file alone can do.
  template <typename Work>
  auto ask_file(const Work& work, const v0::Progress& callback) {
    return ask(
        [&](const std::shared_ptr<AskedGallery>&, longshot::Progress& shown) {
          store();
          return work(opened_, shown);
        },
        callback);
  }
  // Runs work(what all people have in common, the photos of a name, progress), which other calls
  // need not wait for; a name that nobody has brings nothing.
  template <typename Work>
  auto ask_photos(const Work& work, const v0::Progress& callback) {
    using Photos = std::optional<std::vector<longshot::Photo>>;
    const auto in_folder = [&](const std::string& name) -> Photos {
      const auto person = shards_->find(name);
      return person ? Photos(shards_->photos(person->id)) : std::nullopt;
    };
    const auto asked = [&](const std::shared_ptr<AskedGallery>&, longshot::Progress& shown) {
      if (shards_) {
        const GalleryStore shared(store_.path(), GalleryStore::Access::kRead,
                                  {.key = store_.key()});
        return work(shared, in_folder, shown);
      }
      const OpenGallery::Connection store = opened_->connect();
      const auto in_file = [&](const std::string& name) -> Photos {
        const auto person = store->find_person(name);
        return person ? Photos(store->photos(person->id)) : std::nullopt;
      };
      return work(*store, in_file, shown);
    };
    return ask(asked, callback);
  }
  longshot::Person find(const std::string& name) const {
    const std::optional<longshot::Person> person =
        shards_ ? shards_->find(name) : store_.find_person(name);
    if (person) return *person;
    throw Error(ErrorKind::not_found, "There is no person named \"{}\" in {}.", name,
                path_.string());
  }

  // In order of id.
  std::vector<longshot::Photo> photos_of(const longshot::Person& person) const {
    return shards_ ? shards_->photos(person.id) : store_.photos(person.id);
  }
  // What all people have in common: settings and models.
  const GalleryStore& common() const { return store_; }

  // Of a file. Throws Error for a folder of shards.
  GalleryStore& store() {
    if (!shards_) return store_;
    throw Error(ErrorKind::unsupported,
                "{} is a folder of shards, for which there is no such call: merge it to one file.",
                path_.string());
  }
  const std::filesystem::path& path() const { return path_; }
  OpenShards* shards() const { return shards_.get(); }  // null for a file

  door::CallbackProgress progress;

 private:
  std::shared_ptr<AskedGallery> opened() {
    const std::lock_guard lock(mutex_);
    if (shards_) return shards_;
    if (!opened_) {
      opened_ = std::make_shared<OpenGallery>(
          store_.path(),
          writable_ ? GalleryStore::Access::kWriteIfPossible : GalleryStore::Access::kRead,
          store_.key());
    }
    return opened_;
  }

  GalleryStore store_;
  std::filesystem::path path_;

  bool writable_;
  std::mutex mutex_;                     // guards the store, its progress, and the next
  std::shared_ptr<OpenGallery> opened_;  // of a file, made by the first question
  std::shared_ptr<OpenShards> shards_;   // of a folder
  std::atomic<bool> folder_logged_ = false;
};

}  // namespace longshot::v0
