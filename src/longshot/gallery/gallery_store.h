// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/gallery/gallery_types.h"

namespace longshot {

class Database;
class DatabaseTransaction;

// The enrolled people in one SQLite file (docs/formats.md): people, their photos, the learnt
// models, and for each index (one method at one size) one template per person. It holds bytes and
// knows no recogniser.
//
// A change is durable when its call returns, or, inside a GalleryTransaction, when that commits;
// killed at any moment the file holds exactly what was committed. Many processes may read while one
// writes. An object serves one thread at a time: open one per thread. Opening scans nothing. All
// calls throw Error, with one sentence that names the file, if it is damaged, in use for longer
// than the options allow, write-protected, or the disk is full; nothing is lost then.
class GalleryStore {
 public:
  enum class Access {
    kRead,             // the file must exist; changes throw
    kWriteIfPossible,  // kWrite, or kRead where file or folder are write-protected
    kWrite,            // the file must exist
    kCreate            // made if it does not exist, readable by its owner only
  };

  // Throws Error for a file that is not a gallery or was written by a newer version.
  GalleryStore(const std::filesystem::path& path, Access access,
               const GalleryOptions& options = {});
  ~GalleryStore();
  GalleryStore(GalleryStore&&) noexcept;
  GalleryStore& operator=(GalleryStore&&) noexcept;

  // Takes the file away again if this object made it (kCreate), nobody is in it, nobody else has
  // changed it, and nobody else has it open; otherwise it stays as it is. Returns whether it went.
  // Closes the gallery in any case.
  bool discard_if_unused() &&;

  const std::filesystem::path& path() const;
  const GalleryKey::Shared& key() const;  // empty for a gallery that is not encrypted
  bool writable() const;
  // Grows with every committed change by any process: what was cached at the same revision holds.
  std::int64_t revision() const;
  // Reads the whole file; throws Error if it is damaged. Never called by the others.
  void check_integrity() const;

  // --- upkeep ---

  std::int64_t file_bytes() const;             // of the state that is read, without its log
  std::vector<IndexSize> index_sizes() const;  // in order of creation
  // Gives the pages that nothing uses any more back to the file system. Takes as much memory as the
  // file has bytes afterwards.
  void give_back_unused();
  // Writes the gallery as it is now to a new file beside which nothing stands, while others go on
  // writing, reads the copy once, and only then gives it its name. `tell` hears how many pages of
  // how many, and may throw to stop it. Throws Error if there is such a file.
  void back_up(const std::filesystem::path& out,
               const std::function<void(std::int64_t done, std::int64_t all)>& tell) const;

  // --- people ---

  // Throws Error if somebody has that name, or for a name that check_person_name() refuses.
  PersonId add_person(std::string_view name);
  // With the id and the time that they have in another file, for galleries that are copied part by
  // part. Throws Error if somebody has that name or id.
  void restore_person(const Person& person);
  std::optional<Person> find_person(std::string_view name) const;  // equal bytes
  std::optional<Person> person(PersonId id) const;
  // In order of id, at most `limit`. Ids grow with time and are never given twice.
  std::vector<Person> people(IdRange range = {}, Index limit = kNoLimit) const;
  Index person_count() const;       // kept, not counted
  PersonId last_person_id() const;  // 0 without people
  PersonId next_person_id() const;  // that the next one would get
  // Throws Error if there is no `from`, or somebody else has the name `to`. The old name is erased.
  void rename_person(std::string_view from, std::string_view to);
  // Erases the person: name, photos, where they came from, and the templates of all indexes, in the
  // file and in its log (see erasure_pending). Returns false if there is no such person.
  bool remove_person(std::string_view name);
  // The photos of `from` become photos of `into`, under new ids, and `from` is erased, also from
  // the paths that name them, with the templates of both. Throws Error unless there are two such
  // people.
  void merge_people(std::string_view from, std::string_view into);
  // True if another process was still reading an older state after a removal, so that its bytes are
  // still in the log: they go with the next change, or when the last process closes the gallery.
  bool erasure_pending() const;

  // --- photos ---

  // `photo.id`, `person` and `added_at` are ignored: the gallery sets them. Templates of the person
  // that were made without this photo are erased.
  PhotoId add_photo(PersonId person, const Photo& photo);
  // The same with the time that it has already.
  PhotoId restore_photo(PersonId person, const Photo& photo);
  std::vector<Photo> photos(PersonId person) const;  // in order of id
  // The first photo of each person, in order of person id, for at most `limit` people with photos.
  std::vector<Photo> first_photos(IdRange range = {}, Index limit = kNoLimit) const;
  Index photo_count() const;  // kept, not counted
  // Who has a photo of that hash already (see content_hash.h); the first added of several.
  std::optional<Person> find_photo_owner(std::string_view content_hash) const;
  // Erases it, as remove_person, and with it the person's templates, which were made from it.
  bool remove_photo(PhotoId id);
  // The people with photos, in order of id; equal marks, equal photos.
  std::vector<PhotosMark> photos_marks() const;

  // --- settings and models ---

  std::optional<std::string> setting(std::string_view key) const;
  void set_setting(std::string_view key, std::string_view value);  // replaces
  std::vector<std::string> setting_keys() const;                   // sorted
  std::optional<std::string> model(std::string_view key) const;    // the bytes
  void put_model(std::string_view key, std::string_view bytes);    // replaces
  std::vector<std::string> model_keys() const;                     // sorted
  bool erase_model(std::string_view key);

  // --- indexes: the templates of all people for one method and size, by a key of the caller ---

  // An index exists from the first put_template() or set_index_data() until erase_index().
  std::vector<std::string> index_keys() const;  // in order of creation
  bool erase_index(std::string_view index);     // with its templates and data
  // Replaces. Throws Error if there is no such person.
  void put_template(std::string_view index, PersonId person, std::span<const float> values);
  // Empty without such an index, person or template.
  std::optional<std::vector<float>> find_template(std::string_view index, PersonId person) const;
  // Never given to another index, not even to a later one of the same key.
  std::optional<std::int64_t> find_index(std::string_view index) const;
  // Templates of an index, kept, not counted: it is complete if this equals person_count().
  Index template_count(std::string_view index) const;
  // In order of id, at most `limit`; without such an index everyone.
  std::vector<PersonId> people_without_template(std::string_view index, IdRange range = {},
                                                Index limit = kNoLimit) const;
  // The templates of at most `limit` people in order of id, none without such an index. To go on,
  // set range.first to block.people.back() + 1; an empty block is the end. The memory of `recycled`
  // is used again. Blocks of one state of the gallery: hold a GallerySnapshot meanwhile.
  TemplateBlock read_templates(std::string_view index, IdRange range, Index limit,
                               TemplateBlock recycled = {}) const;
  // Bytes that belong to an index, such as its calibration; gone with it.
  void set_index_data(std::string_view index, std::string_view bytes);
  std::optional<std::string> index_data(std::string_view index) const;

 private:
  friend class GalleryTransaction;
  friend class GallerySnapshot;

  void open(const std::filesystem::path& path, Access access, const GalleryOptions& options);
  PersonId insert_person(const Person& person);
  PhotoId insert_photo(PersonId person, const Photo& photo, std::int64_t seconds);
  void erase_templates(PersonId person);
  std::int64_t index_for_writing(std::string_view key);

  std::unique_ptr<Database> database_;
  std::int64_t commits_ = 0;  // by this object
  bool erasing_ = false;      // something was removed by the transaction
  bool pending_ = false;      // the log could not be emptied after an earlier one
};

// Many changes as one, which is also far faster: a thousand or more people per transaction.
// Without commit() the destructor takes everything back, also while an exception unwinds. Inside
// another one of the same gallery it takes back its own part only, so that one bad person does not
// spoil a batch; only the outermost commit makes changes durable.
class GalleryTransaction {
 public:
  enum class Revision {
    kGrows,
    kStays  // nothing that somebody may have cached is changed
  };

  // Throws Error if another process keeps writing for longer than the options allow.
  explicit GalleryTransaction(GalleryStore& gallery, Revision revision = Revision::kGrows);
  ~GalleryTransaction();
  GalleryTransaction(const GalleryTransaction&) = delete;
  GalleryTransaction& operator=(const GalleryTransaction&) = delete;
  void commit();  // once

 private:
  GalleryStore& gallery_;
  Revision revision_;
  std::unique_ptr<DatabaseTransaction> transaction_;
};

// At its end a gallery that was made for nothing is taken away again: see discard_if_unused(). The
// gallery is closed then, so it must not be used after.
class DiscardUnused {
 public:
  explicit DiscardUnused(GalleryStore& gallery) : gallery_(gallery) {}
  ~DiscardUnused();
  DiscardUnused(const DiscardUnused&) = delete;
  DiscardUnused& operator=(const DiscardUnused&) = delete;

 private:
  GalleryStore& gallery_;
};

// While it lives, all reads through `gallery` see one state, whatever others commit. Keep it short:
// meanwhile the log cannot be emptied, and removed people stay in it. Not inside a transaction.
class GallerySnapshot {
 public:
  explicit GallerySnapshot(const GalleryStore& gallery);
  ~GallerySnapshot();
  GallerySnapshot(const GallerySnapshot&) = delete;
  GallerySnapshot& operator=(const GallerySnapshot&) = delete;

 private:
  const GalleryStore& gallery_;
};

}  // namespace longshot
