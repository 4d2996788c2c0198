// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/schema.h"

#include <array>
#include <string>

#include "longshot/core/error.h"
#include "longshot/gallery/schema_text.h"

namespace longshot {
namespace {

// AUTOINCREMENT: an id of somebody who was removed is never given to another. Blobs stand last in
// their rows, so that the rest is read without them. Triggers keep the totals and let the templates
// follow their person, whoever changes the file.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE people(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  enrolled_at INTEGER NOT NULL
) STRICT;

CREATE TABLE photos(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES people(id) ON DELETE CASCADE,
  added_at INTEGER NOT NULL,
  content_hash BLOB,
  source TEXT NOT NULL,
  left_eye_x REAL, left_eye_y REAL, right_eye_x REAL, right_eye_y REAL,
  quality TEXT NOT NULL,
  rows INTEGER NOT NULL,
  cols INTEGER NOT NULL,
  face BLOB NOT NULL CHECK (length(face) = rows * cols)
) STRICT;
CREATE INDEX photos_by_person ON photos(person_id);
CREATE INDEX photos_by_hash ON photos(content_hash) WHERE content_hash IS NOT NULL;

CREATE TABLE settings(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE models(key TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

CREATE TABLE indexes(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  people INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE index_data(
  index_id INTEGER PRIMARY KEY REFERENCES indexes(id) ON DELETE CASCADE,
  bytes BLOB NOT NULL
) STRICT;
CREATE TABLE templates(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;

CREATE TABLE totals(
  id INTEGER PRIMARY KEY CHECK (id = 1),
  people INTEGER NOT NULL,
  photos INTEGER NOT NULL,
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO totals VALUES(1, 0, 0, 0);

CREATE TRIGGER person_added AFTER INSERT ON people BEGIN
  UPDATE totals SET people = people + 1;
END;
CREATE TRIGGER person_removed AFTER DELETE ON people BEGIN
  UPDATE totals SET people = people - 1;
  DELETE FROM templates WHERE id IN (SELECT (indexes.id << 40) | old.id FROM indexes);
END;
CREATE TRIGGER photo_added AFTER INSERT ON photos BEGIN
  UPDATE totals SET photos = photos + 1;
END;
CREATE TRIGGER photo_removed AFTER DELETE ON photos BEGIN
  UPDATE totals SET photos = photos - 1;
END;
CREATE TRIGGER template_added AFTER INSERT ON templates BEGIN
  UPDATE indexes SET people = people + 1 WHERE id = new.id >> 40;
END;
CREATE TRIGGER template_removed AFTER DELETE ON templates BEGIN
  UPDATE indexes SET people = people - 1 WHERE id = old.id >> 40;
END;
CREATE TRIGGER index_removed AFTER DELETE ON indexes BEGIN
  DELETE FROM templates WHERE id BETWEEN old.id << 40 AND ((old.id + 1) << 40) - 1;
END;
)sql";

// block_checksum() of the bytes and of the face; NULL in what was written before. The id of the
// template, or rows and columns of the face, are the seed.
constexpr const char* kVersion2 = R"sql(
ALTER TABLE templates ADD COLUMN checksum INTEGER;
ALTER TABLE photos ADD COLUMN checksum INTEGER;
)sql";

constexpr std::array kMigrations = {kVersion1, kVersion2};

// A file of version 1 has no checksums.
constexpr const char* kViewsOfVersion1 = R"sql(
CREATE TEMP VIEW templates AS SELECT *, NULL AS checksum FROM main.templates;
CREATE TEMP VIEW photos AS SELECT *, NULL AS checksum FROM main.photos;
)sql";

constexpr std::array kViews = {kViewsOfVersion1};

struct Marks {
  std::int64_t application = 0;
  std::int64_t version = 0;
  std::int64_t tables = 0;

  bool is_new() const { return application == 0 && version == 0 && tables == 0; }
};

// All of one moment, as another process may be making the file.
Marks marks_of(const Database& database) {
  Statement query = database.statement(
      "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) "
      "FROM pragma_application_id, pragma_user_version");
  query.step();
  return {query.integer(0), query.integer(1), query.integer(2)};
}

void check_marks(const Database& database, const Marks& marks, std::size_t newest) {
  const std::string name = database.path().string();
  if (marks.is_new()) {
    if (database.access() == Database::Access::kCreate) return;
    throw Error("{} is empty: nobody was enrolled in it.", name);
  }
  if (marks.application != kGalleryApplicationId) throw Error("{} is not a gallery.", name);
  if (marks.version < 1) database.fail_damaged();
  if (marks.version > static_cast<std::int64_t>(newest)) {
    throw Error(ErrorKind::unsupported,
                "The gallery {} was written by a newer version of longshot: update this one.",
                name);
  }
}

// Triggers and constraints keep the totals and what belongs to a person together; a file without
// them, or with foreign ones, would go wrong later and silently.
void check_tables(const Database& database, Migrations migrations) {
  Statement query = database.statement(kSchemaQuery);
  std::string found;
  while (query.step()) found += schema_line(query.text(0), query.text(1));
  if (found != schema_text(migrations)) database.fail_damaged();
}

void run_migrations(const Database& database, std::size_t from, Migrations migrations) {
  for (std::size_t i = from; i < migrations.size(); ++i) database.execute(migrations[i]);
  database.execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={};",
                               kGalleryApplicationId, migrations.size()));
}

}  // namespace

Migrations gallery_migrations() {
  return kMigrations;
}

Migrations gallery_views() {
  return kViews;
}

void prepare_schema(const Database& database, Migrations migrations, Migrations views) {
  const Marks marks = marks_of(database);
  check_marks(database, marks, migrations.size());
  // A file that somebody was about to take away when he was killed has lost its log.
  if (database.access() != Database::Access::kRead) database.use_write_ahead_log();
  const auto version = static_cast<std::size_t>(marks.version);
  if (version == migrations.size()) return check_tables(database, migrations);
  if (database.access() == Database::Access::kRead && version >= 1 && version <= views.size()) {
    check_tables(database, migrations.first(version));
    database.execute(
        fmt::format("PRAGMA query_only=OFF; {} PRAGMA query_only=ON;", views[version - 1]));
    return;
  }
  if (database.access() == Database::Access::kRead) {
    throw Error(
        "The gallery {} was written by an older version of longshot: enrol somebody, or rename a "
        "person, to bring it up to date.",
        database.path().string());
  }
  DatabaseTransaction transaction(database);
  // Another process may have been faster while this one waited.
  const Marks locked = marks_of(database);
  check_marks(database, locked, migrations.size());
  run_migrations(database, static_cast<std::size_t>(locked.version), migrations);
  transaction.commit();
}

}  // namespace longshot
