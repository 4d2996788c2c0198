// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "longshot/core/error.h"
#include "longshot/gallery/block_checksum.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/schema.h"

namespace longshot {
namespace {

static_assert(std::endian::native == std::endian::little,
              "templates are stored as little-endian numbers");

static_assert(kLastPersonId == (PersonId{1} << kPersonBits) - 1);

std::string string_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::int64_t template_id(std::int64_t index, PersonId person) {
  return index << kPersonBits | std::clamp<PersonId>(person, 0, kLastPersonId);
}

std::optional<std::string> first_blob(Statement& query) {
  if (!query.step()) return std::nullopt;
  return string_of(query.blob(0));
}

std::vector<std::string> all_texts(Statement query) {
  std::vector<std::string> texts;
  while (query.step()) texts.emplace_back(query.text(0));
  return texts;
}

// NaN or an infinity.
bool holds_no_number(std::span<const float> values) {
  // Without a branch, so that it runs at the speed of memory.
  std::uint32_t largest = 0;
  for (const float value : values) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFU);
  }
  return largest >= 0x7F800000U;
}

std::int64_t template_checksum(std::span<const std::byte> bytes, std::int64_t id) {
  return static_cast<std::int64_t>(block_checksum(bytes, static_cast<std::uint64_t>(id)));
}

// Writes the numbers of a template, read as: id, bytes, checksum, to `at` and behind, where there
// may be others. Returns where they end.
std::size_t put_values(const Statement& row, const Database& database, std::size_t at,
                       std::vector<float>& values) {
  const std::span<const std::byte> bytes = row.blob(1);
  if (row.is_null(1) || bytes.size() % sizeof(float) != 0) database.fail_damaged();
  if (!row.is_null(2) && row.integer(2) != template_checksum(bytes, row.integer(0))) {
    database.fail_damaged();
  }
  const std::size_t count = bytes.size() / sizeof(float);
  values.resize(std::max(values.size(), at + count));
  if (!bytes.empty()) std::memcpy(values.data() + at, bytes.data(), bytes.size());
  if (holds_no_number(std::span(values).subspan(at, count))) database.fail_damaged();
  return at + count;
}

}  // namespace

std::optional<std::string> GalleryStore::setting(std::string_view key) const {
  Statement query = database_->statement("SELECT value FROM settings WHERE key = ?");
  if (!query.bind_text(1, key).step()) return std::nullopt;
  return std::string(query.text(0));
}

void GalleryStore::set_setting(std::string_view key, std::string_view value) {
  GalleryTransaction transaction(*this);
  Statement insert = database_->statement(
      "INSERT INTO settings VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value");
  insert.bind_text(1, key).bind_text(2, value).run();
  transaction.commit();
}

std::vector<std::string> GalleryStore::setting_keys() const {
  return all_texts(database_->statement("SELECT key FROM settings ORDER BY key"));
}

std::optional<std::string> GalleryStore::model(std::string_view key) const {
  Statement query = database_->statement("SELECT bytes FROM models WHERE key = ?");
  return first_blob(query.bind_text(1, key));
}

void GalleryStore::put_model(std::string_view key, std::string_view bytes) {
  GalleryTransaction transaction(*this);
  Statement insert = database_->statement(
      "INSERT INTO models VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET bytes = excluded.bytes");
  insert.bind_text(1, key).bind_blob(2, bytes_of(bytes)).run();
  transaction.commit();
}

std::vector<std::string> GalleryStore::model_keys() const {
  return all_texts(database_->statement("SELECT key FROM models ORDER BY key"));
}

bool GalleryStore::erase_model(std::string_view key) {
  GalleryTransaction transaction(*this);
  database_->statement("DELETE FROM models WHERE key = ?").bind_text(1, key).run();
  if (database_->changes() == 0) return false;
  erasing_ = true;
  transaction.commit();
  return true;
}

std::vector<std::string> GalleryStore::index_keys() const {
  return all_texts(database_->statement("SELECT key FROM indexes ORDER BY id"));
}

std::optional<std::int64_t> GalleryStore::find_index(std::string_view key) const {
  Statement query = database_->statement("SELECT id FROM indexes WHERE key = ?");
  if (!query.bind_text(1, key).step()) return std::nullopt;
  return query.integer(0);
}

std::int64_t GalleryStore::index_for_writing(std::string_view key) {
  if (const auto found = find_index(key)) return *found;
  database_->statement("INSERT INTO indexes(key) VALUES(?)").bind_text(1, key).run();
  return database_->last_row_id();
}

bool GalleryStore::erase_index(std::string_view index) {
  GalleryTransaction transaction(*this);
  database_->statement("DELETE FROM indexes WHERE key = ?").bind_text(1, index).run();
  if (database_->changes() == 0) return false;
  erasing_ = true;
  transaction.commit();
  return true;
}

void GalleryStore::erase_templates(PersonId person) {
  database_
      ->statement("DELETE FROM templates WHERE id IN (SELECT (indexes.id << 40) | ? FROM indexes)")
      .bind(1, person)
      .run();
}

void GalleryStore::put_template(std::string_view index, PersonId person,
                                std::span<const float> values) {
  if (holds_no_number(values)) throw Error("A template must hold numbers only.");
  GalleryTransaction transaction(*this);
  const std::int64_t index_id = index_for_writing(index);
  Statement insert = database_->statement(
      "INSERT INTO templates(id, bytes, checksum) SELECT (?1 << 40) | id, ?3, ?4 FROM people "
      "WHERE id = ?2 "
      "ON CONFLICT(id) DO UPDATE SET bytes = excluded.bytes, checksum = excluded.checksum");
  static_assert(kPersonBits == 40);
  const std::span<const std::byte> bytes = std::as_bytes(values);
  insert.bind(1, index_id).bind(2, person).bind_blob(3, bytes);
  insert.bind(4, template_checksum(bytes, template_id(index_id, person))).run();
  if (database_->changes() == 0) {
    throw Error(ErrorKind::not_found, "There is no person with the id {} in the gallery.", person);
  }
  transaction.commit();
}

std::optional<std::vector<float>> GalleryStore::find_template(std::string_view index,
                                                              PersonId person) const {
  const auto index_id = find_index(index);
  if (!index_id || person < 1 || person > kLastPersonId) return std::nullopt;
  Statement query = database_->statement("SELECT id, bytes, checksum FROM templates WHERE id = ?");
  if (!query.bind(1, template_id(*index_id, person)).step()) return std::nullopt;
  std::vector<float> values;
  put_values(query, *database_, 0, values);
  return values;
}

Index GalleryStore::template_count(std::string_view index) const {
  Statement query = database_->statement("SELECT people FROM indexes WHERE key = ?");
  return query.bind_text(1, index).step() ? query.integer(0) : 0;
}

std::vector<PersonId> GalleryStore::people_without_template(std::string_view index, IdRange range,
                                                            Index limit) const {
  // No index has the number 0.
  const std::int64_t index_id = find_index(index).value_or(0);
  Statement query = database_->statement(
      "SELECT id FROM people WHERE id BETWEEN ?2 AND ?3 AND NOT EXISTS "
      "(SELECT 1 FROM templates WHERE templates.id = (?1 << 40) | people.id) ORDER BY id LIMIT ?4");
  query.bind(1, index_id).bind(2, range.first).bind(3, range.last).bind(4, std::int64_t{limit});
  std::vector<PersonId> people;
  while (query.step()) {
    people.push_back(query.integer(0));
    if (people.back() > kLastPersonId) database_->fail_damaged();
  }
  return people;
}

TemplateBlock GalleryStore::read_templates(std::string_view index, IdRange range, Index limit,
                                           TemplateBlock recycled) const {
  TemplateBlock block = std::move(recycled);
  block.people.clear();
  block.begin.assign(1, 0);
  const auto index_id = find_index(index);
  if (!index_id || range.first > kLastPersonId || range.last < 1) return block;
  Statement query = database_->statement(
      "SELECT id, bytes, checksum, (SELECT people FROM indexes WHERE id = ?4) FROM templates "
      "WHERE id BETWEEN ?1 AND ?2 ORDER BY id LIMIT ?3");
  query.bind(1, template_id(*index_id, range.first)).bind(2, template_id(*index_id, range.last));
  query.bind(3, std::int64_t{limit}).bind(4, *index_id);
  std::int64_t all = 0;
  std::int64_t before = template_id(*index_id, range.first) - 1;
  while (query.step()) {
    all = query.integer(3);
    if (query.integer(0) <= before) database_->fail_damaged();
    before = query.integer(0);
    block.people.push_back(query.integer(0) & kLastPersonId);
    block.begin.push_back(put_values(query, *database_, block.begin.back(), block.values));
  }
  // A lost page of the table has no rows, and nothing else would say so.
  const bool everyone = range.first <= 1 && range.last >= kLastPersonId && limit == kNoLimit;
  if (everyone && block.size() == 0) {
    Statement none = database_->statement(
        "SELECT people FROM indexes WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM templates WHERE "
        "id BETWEEN (?1 << 40) + 1 AND (?1 << 40) + ?2)");
    if (none.bind(1, *index_id).bind(2, kLastPersonId).step()) all = none.integer(0);
  }
  if (everyone && block.size() != all) database_->fail_damaged();
  return block;
}

void GalleryStore::set_index_data(std::string_view index, std::string_view bytes) {
  GalleryTransaction transaction(*this);
  const std::int64_t index_id = index_for_writing(index);
  Statement insert = database_->statement(
      "INSERT INTO index_data VALUES(?, ?) "
      "ON CONFLICT(index_id) DO UPDATE SET bytes = excluded.bytes");
  insert.bind(1, index_id).bind_blob(2, bytes_of(bytes)).run();
  transaction.commit();
}

std::optional<std::string> GalleryStore::index_data(std::string_view index) const {
  Statement query = database_->statement(
      "SELECT bytes FROM index_data JOIN indexes ON indexes.id = index_id WHERE key = ?");
  return first_blob(query.bind_text(1, index));
}

}  // namespace longshot
