// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "longshot/gallery/gallery_key.h"
#include "longshot/gallery/sealing_vfs.h"

struct sqlite3;
struct sqlite3_stmt;

namespace longshot {

// As a blob is bound.
inline std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

class Database;

// One SQL statement, bound and stepped; prepared once per database and text and used again after
// the object is gone. Text and blobs that a column returns hold until the next step.
class Statement {
 public:
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  Statement& operator=(Statement&&) = delete;

  // Parameters are numbered from 1. Text and blobs must outlive the last step.
  Statement& bind(int parameter, std::int64_t value);
  Statement& bind(int parameter, double value);
  Statement& bind_text(int parameter, std::string_view text);
  Statement& bind_blob(int parameter, std::span<const std::byte> bytes);
  Statement& bind_null(int parameter);

  // True if there is a row, false at the end. Throws Error.
  bool step();
  // For a statement without rows.
  void run();

  // Columns are numbered from 0.
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;
  std::span<const std::byte> blob(int column) const;

 private:
  friend class Database;
  Statement(const Database& database, std::string_view sql, sqlite3_stmt* handle);

  const Database* database_;
  std::string_view sql_;  // outlives the statement: a literal
  sqlite3_stmt* handle_;
};

// An open SQLite file in write-ahead-log mode with full durability and secure deletion. All
// failures throw Error with a sentence that names the file.
class Database {
 public:
  enum class Access { kRead, kWrite, kCreate };

  // With a key the file is, or becomes, an encrypted one.
  Database(const std::filesystem::path& path, Access access, int wait_ms, int cache_mb,
           GalleryKey::Shared key = nullptr);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const GalleryKey::Shared& key() const { return key_; }
  Access access() const { return access_; }
  bool made_file() const { return made_file_; }  // it did not exist before

  // `sql` must be a literal (or otherwise outlive the database): its address is not copied.
  Statement statement(std::string_view sql) const;
  // Runs statements separated by semicolons that return nothing of interest.
  void execute(const std::string& sql) const;
  // The one number of a query such as "PRAGMA user_version".
  std::int64_t number(std::string_view sql) const;

  std::int64_t last_row_id() const;
  std::int64_t changes() const;  // rows changed by the last statement
  bool in_transaction() const;

  // The file remembers it: to be called when the file is known to be ours.
  void use_write_ahead_log() const;
  // Moves the log into the file and empties it. False if that is not possible now, say because
  // somebody still reads an older state, after waiting for them if asked to.
  bool empty_log(bool wait) const;

  // Copies the state that this connection sees into an empty one, page by page, while others go on
  // writing. `tell` hears how many pages of how many, and may throw to stop it.
  void copy_into(const Database& target,
                 const std::function<void(std::int64_t done, std::int64_t all)>& tell) const;

  // True if the path names another file by now, or none: what is written here would be lost.
  bool has_moved() const;
  // Leaves the log and keeps everybody else out until this object is gone. False, and nothing has
  // changed, if somebody else has the file open.
  bool lock_out_others() const;
  // Takes the file away, for which others must be locked out.
  void unlink_file() const;

  // Another key for an encrypted file; its pages stay as they are.
  void change_key(const GalleryKey::Shared& key);
  // Writes what the file holds to another one, which is empty and encrypted with that key, or not.
  void write_copy(const std::filesystem::path& path, const GalleryKey::Shared& key) const;
  // Overwrites the file with zeros, which has no name any more and is of no use afterwards.
  void wipe_file() const;

  // Throws what the SQLite result code means to a user.
  [[noreturn]] void fail(int code) const;
  // Throws that the file is damaged.
  [[noreturn]] void fail_damaged() const;

 private:
  friend class Statement;
  void open(int cache_mb);
  int connect(bool immutable, int cache_mb);
  bool is_sealed_file() const;
  void close();
  void give_back(std::string_view sql, sqlite3_stmt* handle) const;

  std::filesystem::path path_;
  Access access_;
  int wait_ms_;
  GalleryKey::Shared key_;
  std::unique_ptr<SealedSession> session_;  // outlives the connection
  bool made_file_ = false;
  sqlite3* handle_ = nullptr;
  mutable std::unordered_map<std::string_view, sqlite3_stmt*> idle_;  // prepared, not in use
};

// Changes as one, explicitly committed; otherwise the destructor takes them back. The outermost one
// holds the right to write (BEGIN IMMEDIATE); one inside another takes back its own part only.
class DatabaseTransaction {
 public:
  explicit DatabaseTransaction(const Database& database);
  ~DatabaseTransaction();
  DatabaseTransaction(const DatabaseTransaction&) = delete;
  DatabaseTransaction& operator=(const DatabaseTransaction&) = delete;

  bool outermost() const { return outermost_; }
  void commit();  // once

 private:
  const Database& database_;
  bool outermost_;
  bool open_ = true;
};

}  // namespace longshot
