// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <utility>

#include <sqlite3.h>

#include "longshot/gallery/database.h"

namespace longshot {

Statement::Statement(const Database& database, std::string_view sql, sqlite3_stmt* handle)
    : database_(&database), sql_(sql), handle_(handle) {}

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      sql_(other.sql_),
      handle_(std::exchange(other.handle_, nullptr)) {}

Statement::~Statement() {
  if (handle_ != nullptr) database_->give_back(sql_, handle_);
}

Statement& Statement::bind(int parameter, std::int64_t value) {
  [[maybe_unused]] const int code = sqlite3_bind_int64(handle_, parameter, value);
  assert(code == SQLITE_OK);
  return *this;
}

Statement& Statement::bind(int parameter, double value) {
  [[maybe_unused]] const int code = sqlite3_bind_double(handle_, parameter, value);
  assert(code == SQLITE_OK);
  return *this;
}

Statement& Statement::bind_text(int parameter, std::string_view text) {
  // A null pointer would bind NULL.
  const char* data = text.empty() ? "" : text.data();
  const int code =
      sqlite3_bind_text64(handle_, parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) database_->fail(code);
  return *this;
}

Statement& Statement::bind_blob(int parameter, std::span<const std::byte> bytes) {
  const void* data = bytes.empty() ? static_cast<const void*>("") : bytes.data();
  const int code = sqlite3_bind_blob64(handle_, parameter, data, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) database_->fail(code);
  return *this;
}

Statement& Statement::bind_null(int parameter) {
  [[maybe_unused]] const int code = sqlite3_bind_null(handle_, parameter);
  assert(code == SQLITE_OK);
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  [[maybe_unused]] const bool row = step();
  assert(!row);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(handle_, column) == SQLITE_NULL;
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(handle_, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_, column);
}

std::string_view Statement::text(int column) const {
  const unsigned char* text = sqlite3_column_text(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {reinterpret_cast<const char*>(text), text == nullptr ? 0 : size};
}

std::span<const std::byte> Statement::blob(int column) const {
  const void* bytes = sqlite3_column_blob(handle_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(handle_, column));
  return {static_cast<const std::byte*>(bytes), bytes == nullptr ? 0 : size};
}

}  // namespace longshot
