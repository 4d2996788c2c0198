// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"

#include "../read_gallery.h"
#include "../target.h"

namespace longshot::fuzz {
namespace {

// What somebody who knows SQL could write into a gallery.
constexpr std::array kStatements = {
    "UPDATE people SET name = CAST(?1 AS TEXT) WHERE id = ?2",
    "UPDATE people SET id = ?2 WHERE id = (SELECT min(id) FROM people)",
    "UPDATE people SET enrolled_at = ?2",
    "UPDATE photos SET face = ?1 WHERE id = 1",
    "UPDATE photos SET rows = ?2 WHERE id = 1",
    "UPDATE photos SET cols = ?2 WHERE id = 2",
    "UPDATE photos SET quality = CAST(?1 AS TEXT)",
    "UPDATE photos SET source = CAST(?1 AS TEXT)",
    "UPDATE photos SET content_hash = ?1 WHERE id = 1",
    "UPDATE photos SET left_eye_x = ?2 * 1e300",
    "UPDATE photos SET checksum = ?2",
    "UPDATE photos SET checksum = NULL",
    "UPDATE photos SET person_id = ?2 WHERE id = 1",
    "UPDATE templates SET bytes = ?1",
    "UPDATE templates SET checksum = NULL",
    "UPDATE templates SET id = ?2 WHERE id = (SELECT min(id) FROM templates)",
    "UPDATE indexes SET key = CAST(?1 AS TEXT)",
    "UPDATE indexes SET people = ?2",
    "UPDATE indexes SET id = ?2",
    "UPDATE settings SET value = CAST(?1 AS TEXT)",
    "UPDATE models SET bytes = ?1",
    "UPDATE totals SET people = ?2",
    "UPDATE totals SET photos = ?2",
    "UPDATE totals SET revision = ?2",
    "DELETE FROM totals",
    "DELETE FROM indexes",
};

// Each with both values, whichever it uses; kept, as a database remembers statements by their text.
const std::vector<std::string>& statements() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (const char* statement : kStatements) {
      made.push_back(std::string("WITH given AS (SELECT ?1, ?2) ") + statement);
    }
    return made;
  }();
  return all;
}

// A gallery of three people as its file.
const std::string& whole_gallery() {
  static const std::string bytes = [] {
    const std::filesystem::path path = scratch_folder() / "whole.gallery";
    {
      GalleryStore gallery(path, GalleryStore::Access::kCreate);
      for (const char* name : {"anna", "bert", "carl"}) {
        const PersonId id = gallery.add_person(name);
        Photo photo;
        photo.rows = 4;
        photo.cols = 3;
        photo.pixels.assign(12, static_cast<std::uint8_t>(id));
        photo.eyes = {1.0, 2.0, 3.0, 4.0};
        photo.quality = {{"contrast", 0.5}};
        gallery.add_photo(id, photo);
        gallery.put_template("small", id, std::vector<float>(10, 1.0F));
      }
      gallery.set_setting("frame", "0.3,0.4,0.7,0.4,1.2");
      gallery.put_model("small", "model");
    }
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return bytes;
}

// One byte says which statement, one how many bytes it gets, which follow.
void change_rows(const std::filesystem::path& path, std::string_view bytes) {
  const Database database(path, Database::Access::kWrite, 0, 1);
  database.execute("PRAGMA ignore_check_constraints=ON; PRAGMA foreign_keys=OFF;");
  for (int changes = 0; bytes.size() >= 2 && changes < 8; ++changes) {
    const std::size_t which = static_cast<unsigned char>(bytes[0]) % kStatements.size();
    const std::size_t size = static_cast<unsigned char>(bytes[1]);
    const std::string_view value = bytes.substr(2, size);
    bytes.remove_prefix(2 + value.size());
    std::int64_t number = 0;
    for (const char byte : value.substr(0, 8)) number = number << 8 | (byte & 0xff);
    try {
      Statement statement = database.statement(statements()[which]);
      statement.bind_blob(1, bytes_of(value)).bind(2, number).run();
    } catch (const Error&) {
      // The tables refuse some values themselves.
    }
  }
}

void read_changed_gallery(std::string_view bytes) {
  const std::filesystem::path path = file_of(whole_gallery(), "rows.gallery");
  change_rows(path, bytes);
  read_gallery(GalleryStore(path, GalleryStore::Access::kWrite));
}

const Registered gallery_rows("gallery_rows", read_changed_gallery);

}  // namespace
}  // namespace longshot::fuzz
