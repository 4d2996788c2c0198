// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "longshot/core/error.h"
#include "longshot/gallery/block_checksum.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {
namespace {

using Json = nlohmann::json;

// Numbers by name. A whole document would not do: it asks for memory when it goes, and where there
// is none that ends the program.
class QualityReader final : public nlohmann::json_sax<Json> {
 public:
  std::map<std::string, double> quality;

  bool start_object(std::size_t /*size*/) override { return !std::exchange(inside_, true); }
  bool key(std::string& name) override {
    name_ = name;
    return true;
  }
  bool number_integer(std::int64_t value) override { return take(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) override { return take(static_cast<double>(value)); }
  bool number_float(double value, const std::string& /*text*/) override { return take(value); }
  bool end_object() override { return true; }
  bool null() override { return false; }
  bool boolean(bool /*value*/) override { return false; }
  bool string(std::string& /*value*/) override { return false; }
  bool binary(Json::binary_t& /*value*/) override { return false; }
  bool start_array(std::size_t /*size*/) override { return false; }
  bool end_array() override { return false; }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& /*error*/) override {
    return false;
  }

 private:
  bool take(double value) {
    if (inside_) quality[name_] = value;
    return inside_;
  }

  bool inside_ = false;
  std::string name_;
};

std::map<std::string, double> parse_quality(std::string_view text, const Database& database) {
  QualityReader reader;
  if (!Json::sax_parse(text, &reader)) database.fail_damaged();
  return std::move(reader.quality);
}

std::string text_of_quality(const std::map<std::string, double>& quality) {
  std::string text;
  for (const auto& [name, value] : quality) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ",", Json(name).dump(), Json(value).dump());
  }
  return fmt::format("{{{}}}", text);
}

// What add_photo() would refuse, no gallery holds.
void check_read_photo(const Photo& photo, const Database& database) {
  try {
    photo.check();
  } catch (const Error&) {
    database.fail_damaged();
  }
  if (photo.id < 1 || photo.person < 1 || photo.person > kLastPersonId) database.fail_damaged();
}

std::int64_t checksum_of(const Photo& photo) {
  const auto seed =
      static_cast<std::uint64_t>(photo.rows) << 32 | static_cast<std::uint64_t>(photo.cols);
  return static_cast<std::int64_t>(block_checksum(std::as_bytes(std::span(photo.pixels)), seed));
}

// Columns: id, person_id, added_at, content_hash, source, four of the eyes, quality, rows, cols,
// face, checksum.
Photo photo_in(const Statement& row, const Database& database) {
  Photo photo;
  photo.id = row.integer(0);
  photo.person = row.integer(1);
  photo.added_at = utc_time(row.integer(2));
  const std::span<const std::byte> hash = row.blob(3);
  photo.content_hash.assign(reinterpret_cast<const char*>(hash.data()), hash.size());
  photo.source = row.text(4);
  if (!row.is_null(5)) photo.eyes = {row.real(5), row.real(6), row.real(7), row.real(8)};
  photo.quality = parse_quality(row.text(9), database);
  photo.rows = row.integer(10);
  photo.cols = row.integer(11);
  const std::span<const std::byte> face = row.blob(12);
  const auto* pixels = reinterpret_cast<const std::uint8_t*>(face.data());
  photo.pixels.assign(pixels, pixels + face.size());
  check_read_photo(photo, database);
  if (!row.is_null(13) && row.integer(13) != checksum_of(photo)) database.fail_damaged();
  return photo;
}

}  // namespace

PhotoId GalleryStore::add_photo(PersonId person, const Photo& photo) {
  return insert_photo(person, photo, static_cast<std::int64_t>(std::time(nullptr)));
}

PhotoId GalleryStore::restore_photo(PersonId person, const Photo& photo) {
  return insert_photo(person, photo, utc_seconds(photo.added_at));
}

PhotoId GalleryStore::insert_photo(PersonId person, const Photo& photo, std::int64_t seconds) {
  photo.check();
  GalleryTransaction transaction(*this);
  Statement insert = database_->statement(
      "INSERT INTO photos(person_id, added_at, content_hash, source, left_eye_x, left_eye_y, "
      "right_eye_x, right_eye_y, quality, rows, cols, face, checksum) "
      "SELECT id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM people WHERE id = ?");
  insert.bind(1, seconds);
  if (!photo.content_hash.empty()) insert.bind_blob(2, bytes_of(photo.content_hash));
  insert.bind_text(3, photo.source);
  for (int i = 0; photo.eyes && i < 4; ++i) {
    insert.bind(4 + i, (*photo.eyes)[static_cast<std::size_t>(i)]);
  }
  const std::string quality = text_of_quality(photo.quality);
  insert.bind_text(8, quality).bind(9, std::int64_t{photo.rows}).bind(10, std::int64_t{photo.cols});
  insert.bind_blob(11, std::as_bytes(std::span(photo.pixels))).bind(12, checksum_of(photo));
  insert.bind(13, person).run();
  if (database_->changes() == 0) {
    throw Error(ErrorKind::not_found, "There is no person with the id {} in the gallery.", person);
  }
  const PhotoId id = database_->last_row_id();
  erase_templates(person);
  transaction.commit();
  return id;
}

std::vector<Photo> GalleryStore::photos(PersonId person) const {
  Statement query = database_->statement(
      "SELECT id, person_id, added_at, content_hash, source, left_eye_x, left_eye_y, right_eye_x, "
      "right_eye_y, quality, rows, cols, face, checksum FROM photos WHERE person_id = ? ORDER BY "
      "id");
  query.bind(1, person);
  std::vector<Photo> photos;
  while (query.step()) photos.push_back(photo_in(query, *database_));
  return photos;
}

std::vector<Photo> GalleryStore::first_photos(IdRange range, Index limit) const {
  // CROSS JOIN keeps SQLite from reading the whole table first.
  Statement query = database_->statement(
      "SELECT id, person_id, added_at, content_hash, source, left_eye_x, left_eye_y, right_eye_x, "
      "right_eye_y, quality, rows, cols, face, checksum FROM (SELECT min(id) AS first_id FROM "
      "photos "
      "WHERE person_id BETWEEN ? AND ? GROUP BY person_id ORDER BY person_id LIMIT ?) "
      "CROSS JOIN photos ON id = first_id");
  query.bind(1, range.first).bind(2, range.last).bind(3, std::int64_t{limit});
  std::vector<Photo> photos;
  while (query.step()) photos.push_back(photo_in(query, *database_));
  std::ranges::sort(photos, {}, &Photo::person);
  return photos;
}

Index GalleryStore::photo_count() const {
  return database_->number("SELECT photos FROM totals");
}

std::optional<Person> GalleryStore::find_photo_owner(std::string_view content_hash) const {
  if (content_hash.empty()) return std::nullopt;
  Statement query = database_->statement(
      "SELECT person_id FROM photos WHERE content_hash = ? ORDER BY id LIMIT 1");
  query.bind_blob(1, bytes_of(content_hash));
  if (!query.step()) return std::nullopt;
  return person(query.integer(0));
}

std::vector<PhotosMark> GalleryStore::photos_marks() const {
  // Of the index of photos by person alone, which is small.
  Statement query = database_->statement(
      "SELECT person_id, count(*), max(id) FROM photos GROUP BY person_id ORDER BY person_id");
  std::vector<PhotosMark> marks;
  while (query.step()) marks.push_back({query.integer(0), query.integer(1), query.integer(2)});
  return marks;
}

void GalleryStore::merge_people(std::string_view from, std::string_view into) {
  GalleryTransaction transaction(*this);
  const std::optional<Person> gone = find_person(from);
  const std::optional<Person> stays = find_person(into);
  if (!gone || !stays) {
    throw Error(ErrorKind::not_found, "There is no person named \"{}\" in the gallery.",
                gone ? into : from);
  }
  if (gone->id == stays->id) throw Error("\"{}\" is one person already.", into);
  // Under new ids, so that PhotosMark tells them from what that person had before. Files and
  // folders are often named after the person who goes.
  Statement copy = database_->statement(
      "INSERT INTO photos(person_id, added_at, content_hash, source, left_eye_x, left_eye_y, "
      "right_eye_x, right_eye_y, quality, rows, cols, face, checksum) "
      "SELECT ?1, added_at, content_hash, "
      "CASE WHEN instr(lower(source), lower(?3)) > 0 THEN '' ELSE source END, left_eye_x, "
      "left_eye_y, right_eye_x, right_eye_y, quality, rows, cols, face, checksum "
      "FROM photos WHERE person_id = ?2 ORDER BY id");
  copy.bind(1, stays->id).bind(2, gone->id).bind_text(3, from).run();
  erase_templates(stays->id);
  remove_person(from);
  transaction.commit();
}

bool GalleryStore::remove_photo(PhotoId id) {
  GalleryTransaction transaction(*this);
  PersonId owner = 0;
  {
    Statement query = database_->statement("SELECT person_id FROM photos WHERE id = ?");
    if (!query.bind(1, id).step()) return false;
    owner = query.integer(0);
  }
  database_->statement("DELETE FROM photos WHERE id = ?").bind(1, id).run();
  erase_templates(owner);
  erasing_ = true;
  transaction.commit();
  return true;
}

}  // namespace longshot
