// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_store.h"

#include <cassert>
#include <ctime>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/folder_lock.h"
#include "longshot/gallery/schema.h"

namespace longshot {
namespace {

constexpr int kDiscardWaitMs = 1000;   // who cannot discard a gallery by then leaves it, empty
constexpr Index kCheckedBlock = 1000;  // templates in memory at a time

Database::Access database_access(GalleryStore::Access access) {
  switch (access) {
    case GalleryStore::Access::kRead:
      return Database::Access::kRead;
    case GalleryStore::Access::kWriteIfPossible:
    case GalleryStore::Access::kWrite:
      return Database::Access::kWrite;
    case GalleryStore::Access::kCreate:
      return Database::Access::kCreate;
  }
  assert(false);
  return Database::Access::kRead;
}

// As the operating system sees it now: SQLite needs files beside the gallery.
bool can_be_written(const std::filesystem::path& path) {
  const std::filesystem::path folder = std::filesystem::absolute(path).parent_path();
  return ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) == 0 &&
         ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0;
}

std::optional<Person> one_person(Statement& query, const Database& database) {
  if (!query.step()) return std::nullopt;
  Person person{query.integer(0), std::string(query.text(1)), query.integer(2),
                utc_time(query.integer(3))};
  if (person.id < 1 || person.id > kLastPersonId || person.name.empty()) database.fail_damaged();
  return person;
}

void require_ok(const Database& database, Statement query) {
  if (query.step() && query.text(0) == "ok") return;
  database.fail_damaged();
}

// What is found by its key in these small tables is there; a lost page would make them forget it.
void check_keys(const Database& database) {
  const std::int64_t lost = database.number(
      "SELECT EXISTS(SELECT 1 FROM settings AS a NOT INDEXED WHERE NOT EXISTS "
      "(SELECT 1 FROM settings AS b WHERE b.key = a.key)) "
      "OR EXISTS(SELECT 1 FROM models AS a NOT INDEXED WHERE NOT EXISTS "
      "(SELECT 1 FROM models AS b WHERE b.key = a.key)) "
      "OR EXISTS(SELECT 1 FROM indexes AS a NOT INDEXED WHERE a.id < 1 OR NOT EXISTS "
      "(SELECT 1 FROM indexes AS b WHERE b.key = a.key))");
  if (lost != 0) database.fail_damaged();
}

}  // namespace

GalleryStore::GalleryStore(const std::filesystem::path& path, Access access,
                           const GalleryOptions& options) {
  options.check();
  if (access == Access::kWriteIfPossible) {
    access = can_be_written(path) ? Access::kWrite : Access::kRead;
  }
  open(path, access, options);
  // A process that was killed right after removing somebody has left them in the log.
  if (access != Access::kRead) database_->empty_log(false);
}

void GalleryStore::open(const std::filesystem::path& path, Access access,
                        const GalleryOptions& options) {
  // Who makes a gallery finishes it before somebody may discard it.
  std::optional<FolderLock> lock;
  if (access == Access::kCreate) lock.emplace(folder_of(path), options.wait_ms);
  try {
    do {
      // It may have been discarded after it was opened and before it was locked by reading it.
      database_ = std::make_unique<Database>(path, database_access(access), options.wait_ms,
                                             options.cache_mb, options.key);
      prepare_schema(*database_, gallery_migrations(), gallery_views());
      check_keys(*database_);
    } while (database_->has_moved());
  } catch (...) {
    // A file that never became a gallery: nobody can be in it, and nobody else makes one meanwhile.
    const bool ours = lock && lock->held() && database_ && database_->made_file();
    database_.reset();
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      if (ours) ::unlink((path.string() + ending).c_str());
    }
    throw;
  }
}

bool GalleryStore::discard_if_unused() && {
  if (!database_ || !database_->made_file()) {
    database_.reset();
    return false;
  }
  const FolderLock lock(folder_of(database_->path()), kDiscardWaitMs);
  // Declared after the lock, so that it is closed under it.
  const std::unique_ptr<Database> database = std::move(database_);
  const auto unused = [&] {
    return database->number("SELECT count(*) FROM people") == 0 &&
           database->number("SELECT revision FROM totals") == commits_;
  };
  if (!lock.held() || !unused() || database->has_moved() || !database->lock_out_others()) {
    return false;
  }
  if (!unused()) {
    database->use_write_ahead_log();
    return false;
  }
  database->unlink_file();
  return true;
}

DiscardUnused::~DiscardUnused() {
  try {
    std::move(gallery_).discard_if_unused();
  } catch (const std::exception&) {
    // It stays, empty.
  }
}

GalleryStore::~GalleryStore() = default;
GalleryStore::GalleryStore(GalleryStore&&) noexcept = default;
GalleryStore& GalleryStore::operator=(GalleryStore&&) noexcept = default;

const std::filesystem::path& GalleryStore::path() const {
  return database_->path();
}

const GalleryKey::Shared& GalleryStore::key() const {
  return database_->key();
}

bool GalleryStore::writable() const {
  return database_->access() != Database::Access::kRead;
}

std::int64_t GalleryStore::revision() const {
  return database_->number("SELECT revision FROM totals");
}

void GalleryStore::check_integrity() const {
  require_ok(*database_, database_->statement("PRAGMA integrity_check(1)"));
  require_ok(*database_, database_->statement(
                             "SELECT CASE WHEN EXISTS "
                             "(SELECT 1 FROM pragma_foreign_key_check) THEN '' ELSE 'ok' END"));
  require_ok(*database_,
             database_->statement("SELECT CASE WHEN people = (SELECT count(*) FROM people) "
                                  "AND photos = (SELECT count(*) FROM photos) THEN 'ok' END "
                                  "FROM totals"));
  require_ok(*database_,
             database_->statement("SELECT CASE WHEN (SELECT total(people) FROM indexes) = "
                                  "(SELECT count(*) FROM templates) THEN 'ok' END"));
  // Whatever is read is compared with its checksum.
  for (const Person& person : people()) photos(person.id);
  for (const std::string& index : index_keys()) {
    IdRange range;
    TemplateBlock block;
    while ((block = read_templates(index, range, kCheckedBlock, std::move(block))).size() > 0) {
      range.first = block.people.back() + 1;
    }
  }
}

PersonId GalleryStore::add_person(std::string_view name) {
  Person person;
  person.name = name;
  person.enrolled_at = utc_time(static_cast<std::int64_t>(std::time(nullptr)));
  return insert_person(person);
}

void GalleryStore::restore_person(const Person& person) {
  if (person.id < 1 || this->person(person.id)) {
    throw Error(ErrorKind::already_there, "Somebody else has the id {} of \"{}\" in the gallery.",
                person.id, person.name);
  }
  insert_person(person);
}

// Under the person's id, or the next one if that is 0.
PersonId GalleryStore::insert_person(const Person& person) {
  check_person_name(person.name);
  GalleryTransaction transaction(*this);
  Statement insert = database_->statement(
      "INSERT INTO people(id, name, enrolled_at) VALUES(?, ?, ?) ON CONFLICT(name) DO NOTHING");
  if (person.id > 0) insert.bind(1, person.id);
  insert.bind_text(2, person.name).bind(3, utc_seconds(person.enrolled_at)).run();
  if (database_->changes() == 0) {
    throw Error(ErrorKind::already_there, "There is already a person named \"{}\" in the gallery.",
                person.name);
  }
  const PersonId id = database_->last_row_id();
  if (id > kLastPersonId) database_->fail_damaged();
  transaction.commit();
  return id;
}

std::optional<Person> GalleryStore::find_person(std::string_view name) const {
  Statement query = database_->statement(
      "SELECT id, name, (SELECT count(*) FROM photos WHERE person_id = people.id), enrolled_at "
      "FROM people WHERE name = ?");
  return one_person(query.bind_text(1, name), *database_);
}

std::optional<Person> GalleryStore::person(PersonId id) const {
  Statement query = database_->statement(
      "SELECT id, name, (SELECT count(*) FROM photos WHERE person_id = people.id), enrolled_at "
      "FROM people WHERE id = ?");
  return one_person(query.bind(1, id), *database_);
}

std::vector<Person> GalleryStore::people(IdRange range, Index limit) const {
  Statement query = database_->statement(
      "SELECT id, name, (SELECT count(*) FROM photos WHERE person_id = people.id), enrolled_at, "
      "(SELECT people FROM totals), (SELECT photos FROM totals) "
      "FROM people WHERE id BETWEEN ? AND ? ORDER BY id LIMIT ?");
  query.bind(1, range.first).bind(2, range.last).bind(3, std::int64_t{limit});
  std::vector<Person> people;
  Index photos = 0;
  std::int64_t all_people = 0;
  std::int64_t all_photos = 0;
  while (std::optional<Person> person = one_person(query, *database_)) {
    photos += person->photos;
    all_people = query.integer(4);
    all_photos = query.integer(5);
    people.push_back(*std::move(person));
  }
  // A lost page of the table has no rows, and nothing else would say so.
  const bool everyone = range.first <= 1 && range.last >= kLastPersonId && limit == kNoLimit;
  if (people.empty()) {
    all_people = database_->number(
        "SELECT people FROM totals WHERE "
        "(SELECT count(*) FROM people NOT INDEXED WHERE +id > 0) = 0");
  }
  if (everyone && (std::ssize(people) != all_people || (!people.empty() && photos != all_photos))) {
    database_->fail_damaged();
  }
  return people;
}

Index GalleryStore::person_count() const {
  return database_->number("SELECT people FROM totals");
}

PersonId GalleryStore::last_person_id() const {
  return database_->number("SELECT max(id) FROM people");
}

PersonId GalleryStore::next_person_id() const {
  return 1 + database_->number(
                 "SELECT ifnull((SELECT seq FROM sqlite_sequence WHERE name = 'people'), 0)");
}

void GalleryStore::rename_person(std::string_view from, std::string_view to) {
  check_person_name(to);
  GalleryTransaction transaction(*this);
  const std::optional<Person> person = find_person(from);
  if (!person) {
    throw Error(ErrorKind::not_found, "There is no person named \"{}\" in the gallery.", from);
  }
  if (from != to && find_person(to)) {
    throw Error(ErrorKind::already_there, "There is already a person named \"{}\" in the gallery.",
                to);
  }
  Statement update = database_->statement("UPDATE people SET name = ? WHERE id = ?");
  update.bind_text(1, to).bind(2, person->id).run();
  // Files and folders are often named after the person.
  Statement forget = database_->statement(
      "UPDATE photos SET source = '' WHERE person_id = ?1 AND instr(lower(source), lower(?2)) > 0");
  if (from != to) forget.bind(1, person->id).bind_text(2, from).run();
  erasing_ = true;
  transaction.commit();
}

bool GalleryStore::remove_person(std::string_view name) {
  GalleryTransaction transaction(*this);
  database_->statement("DELETE FROM people WHERE name = ?").bind_text(1, name).run();
  if (database_->changes() == 0) return false;
  erasing_ = true;
  transaction.commit();
  return true;
}

bool GalleryStore::erasure_pending() const {
  return pending_;
}

GalleryTransaction::GalleryTransaction(GalleryStore& gallery, Revision revision)
    : gallery_(gallery),
      revision_(revision),
      transaction_(std::make_unique<DatabaseTransaction>(*gallery.database_)) {}

GalleryTransaction::~GalleryTransaction() = default;

void GalleryTransaction::commit() {
  const Database& database = *gallery_.database_;
  if (!transaction_->outermost() || revision_ == Revision::kStays) {
    transaction_->commit();
    return;
  }
  if (database.in_transaction()) {
    database.statement("UPDATE totals SET revision = revision + 1").run();
  }
  transaction_->commit();
  ++gallery_.commits_;
  if (!gallery_.erasing_ && !gallery_.pending_) return;
  gallery_.pending_ = !database.empty_log(gallery_.erasing_);
  gallery_.erasing_ = false;
}

GallerySnapshot::GallerySnapshot(const GalleryStore& gallery) : gallery_(gallery) {
  assert(!gallery.database_->in_transaction());
  gallery.database_->statement("BEGIN").run();
  // The state is that of the first read.
  gallery.revision();
}

GallerySnapshot::~GallerySnapshot() {
  try {
    gallery_.database_->statement("ROLLBACK").run();
  } catch (const std::exception&) {
    // It only read.
  }
}

}  // namespace longshot
