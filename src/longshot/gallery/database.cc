// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/database.h"

#include <cassert>
#include <cerrno>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/erasing_vfs.h"
#include "longshot/gallery/sealed_header.h"
#include "longshot/gallery/sealed_layout.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

fs::path log_of(const fs::path& path) {
  fs::path log = path;
  log += "-wal";
  return log;
}

void check_path(const fs::path& path, Database::Access access) {
  std::error_code error;
  if (fs::is_directory(path, error) || path.filename().empty()) {
    throw Error("Cannot open the gallery {}: it is a folder, a file is needed.", path.string());
  }
  if (access != Database::Access::kCreate && !fs::exists(path, error)) {
    throw Error(ErrorKind::not_found, "Cannot open the gallery {}: there is no such file.",
                path.string());
  }
}

// Faces are nobody else's business: SQLite would make the file readable by all. Its log takes over
// the permissions of the file. Returns false if there is a file already.
bool create_private_file(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor >= 0) {
    ::close(descriptor);
    return true;
  }
  if (errno != EEXIST) {
    throw Error(kind_of(errno), "Cannot create the gallery {}: {}.", path.string(),
                std::generic_category().message(errno));
  }
  std::error_code error;
  if (fs::is_symlink(path, error) && !fs::exists(path, error)) {
    throw Error("Cannot create the gallery {}: it is a link to a file that does not exist.",
                path.string());
  }
  return false;
}

// With a parameter to follow.
std::string uri_of(const fs::path& path) {
  std::string uri = "file://";
  for (const char c : path.string()) {
    const bool special = c == '%' || c == '?' || c == '#';
    uri += special ? fmt::format("%{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return uri + "?";
}

// Between quotes in SQL.
std::string sql_text(std::string_view text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
  return quoted;
}

bool cannot_lock(int code) {
  return (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_READONLY;
}

}  // namespace

Database::Database(const fs::path& path, Access access, int wait_ms, int cache_mb,
                   GalleryKey::Shared key)
    : path_(path), access_(access), wait_ms_(wait_ms), key_(std::move(key)) {
  check_path(path, access);
  if (access == Access::kCreate) made_file_ = create_private_file(path);
  try {
    open(cache_mb);
  } catch (...) {
    close();
    throw;
  }
}

Database::~Database() {
  close();
}

void Database::open(int cache_mb) {
  // Readers too open for writing where they may, so that the last one to close tidies up the log.
  int code = connect(false, cache_mb);
  std::error_code error;
  if (access_ == Access::kRead && cannot_lock(code) && !fs::exists(log_of(path_), error)) {
    // A folder where we may not write, say on a CD: nobody else writes there either.
    close();
    code = connect(true, cache_mb);
  }
  if (code != SQLITE_OK) fail(code);
  if (access_ != Access::kRead && sqlite3_db_readonly(handle_, "main") == 1) fail(SQLITE_READONLY);
}

int Database::connect(bool immutable, int cache_mb) {
  std::string name = uri_of(fs::absolute(path_));
  if (key_) {
    session_ = std::make_unique<SealedSession>(key_, path_.string(), access_ == Access::kCreate);
    name += session_->parameter();
  }
  if (immutable) name += "&immutable=1";
  const int flags = immutable ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
  const int code =
      sqlite3_open_v2(name.c_str(), &handle_, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                      erasing_vfs(key_ != nullptr));
  if (session_) session_->rethrow_failure();
  if (code != SQLITE_OK) return code;
  int reserved{PageSeal::kBytes};
  if (key_) sqlite3_file_control(handle_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  sqlite3_extended_result_codes(handle_, 1);
  sqlite3_busy_timeout(handle_, wait_ms_);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_FKEY, 1, nullptr);
  // temp_store: what is being changed must not reach temporary files, which nobody erases.
  std::string pragmas = fmt::format(
      "PRAGMA page_size={}; PRAGMA temp_store=MEMORY; PRAGMA synchronous=FULL; "
      "PRAGMA secure_delete=ON; PRAGMA cell_size_check=ON; PRAGMA cache_size=-{};",
      kPageBytes, cache_mb * 1024);
  pragmas += access_ == Access::kRead ? "PRAGMA query_only=ON;"
                                      : fmt::format("PRAGMA max_page_count={};", kMaxPages);
  pragmas += "PRAGMA schema_version;";  // reads the file for the first time
  return sqlite3_exec(handle_, pragmas.c_str(), nullptr, nullptr, nullptr);
}

void Database::close() {
  for (const auto& [sql, statement] : idle_) sqlite3_finalize(statement);
  idle_.clear();
  sqlite3_close(handle_);
  handle_ = nullptr;
  session_.reset();
}

Statement Database::statement(std::string_view sql) const {
  if (const auto found = idle_.find(sql); found != idle_.end()) {
    sqlite3_stmt* handle = found->second;
    idle_.erase(found);
    return {*this, sql, handle};
  }
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                                      SQLITE_PREPARE_PERSISTENT, &handle, nullptr);
  if (code != SQLITE_OK) fail(code);
  return {*this, sql, handle};
}

void Database::give_back(std::string_view sql, sqlite3_stmt* handle) const {
  sqlite3_reset(handle);
  sqlite3_clear_bindings(handle);
  bool kept = false;
  try {
    kept = idle_.emplace(sql, handle).second;
  } catch (const std::bad_alloc&) {
    // A destructor is waiting; it is prepared again when it is next needed.
  }
  if (!kept) sqlite3_finalize(handle);
}

void Database::execute(const std::string& sql) const {
  const int code = sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::int64_t Database::number(std::string_view sql) const {
  Statement query = statement(sql);
  return query.step() ? query.integer(0) : 0;
}

std::int64_t Database::last_row_id() const {
  return sqlite3_last_insert_rowid(handle_);
}

std::int64_t Database::changes() const {
  return sqlite3_changes64(handle_);
}

bool Database::in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

void Database::use_write_ahead_log() const {
  // SQLite does not wait by itself for the lock that this needs.
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + std::chrono::milliseconds(wait_ms_);
  for (;;) {
    const int code = sqlite3_exec(handle_, "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if ((code & 0xff) != SQLITE_BUSY || Clock::now() > deadline) fail(code);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

bool Database::empty_log(bool wait) const {
  if (!wait) sqlite3_busy_timeout(handle_, 0);
  const int code =
      sqlite3_wal_checkpoint_v2(handle_, nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(handle_, wait_ms_);
  if ((code & 0xff) == SQLITE_CORRUPT) fail(code);
  return code == SQLITE_OK;
}

void Database::copy_into(
    const Database& target,
    const std::function<void(std::int64_t done, std::int64_t all)>& tell) const {
  constexpr int kPagesPerStep = 1024;
  const std::unique_ptr<sqlite3_backup, decltype(&sqlite3_backup_finish)> copy(
      sqlite3_backup_init(target.handle_, "main", handle_, "main"), sqlite3_backup_finish);
  if (!copy) target.fail(sqlite3_extended_errcode(target.handle_));
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(copy.get(), kPagesPerStep);
    const std::int64_t all = sqlite3_backup_pagecount(copy.get());
    tell(all - sqlite3_backup_remaining(copy.get()), all);
  }
  if (code != SQLITE_DONE) target.fail(code);
}

bool Database::has_moved() const {
  int moved = 0;
  sqlite3_file_control(handle_, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return moved != 0;
}

bool Database::lock_out_others() const {
  // Everybody who has the file open holds a shared lock on it; leaving the log takes the exclusive
  // one, which the locking mode then keeps.
  sqlite3_busy_timeout(handle_, 0);
  const int code =
      sqlite3_exec(handle_, "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=DELETE;", nullptr,
                   nullptr, nullptr);
  sqlite3_busy_timeout(handle_, wait_ms_);
  if (code == SQLITE_OK) return true;
  sqlite3_exec(handle_, "PRAGMA locking_mode=NORMAL", nullptr, nullptr, nullptr);
  return false;
}

void Database::unlink_file() const {
  const std::string file = sqlite3_db_filename(handle_, "main");
  ::unlink(file.c_str());
  ::unlink((file + "-journal").c_str());
}

namespace {

sqlite3_file* file_of(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file != nullptr && file->pMethods != nullptr ? file : nullptr;
}

}  // namespace

bool Database::is_sealed_file() const {
  sqlite3_file* file = handle_ == nullptr ? nullptr : file_of(handle_);
  std::string begin(16, '\0');
  return file != nullptr && file->pMethods->xRead(file, begin.data(), 16, 0) == SQLITE_OK &&
         SealedHeader::is_sealed(begin);
}

void Database::change_key(const GalleryKey::Shared& key) {
  SecretChange change{key_.get(), key.get(), nullptr};
  const int code = sqlite3_file_control(handle_, "main", kChangeSecret, &change);
  if (change.failure) std::rethrow_exception(change.failure);
  if (code != SQLITE_OK) fail(code);
  key_ = key;
}

void Database::write_copy(const fs::path& path, const GalleryKey::Shared& key) const {
  std::string target = uri_of(fs::absolute(path)) + "vfs=" + erasing_vfs(key != nullptr);
  std::optional<SealedSession> session;
  if (key) {
    session.emplace(key, path.string(), true);
    target += "&" + session->parameter();
    int reserved{PageSeal::kBytes};
    sqlite3_file_control(handle_, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved);
  }
  const int code = sqlite3_exec(handle_, ("VACUUM INTO '" + sql_text(target) + "'").c_str(),
                                nullptr, nullptr, nullptr);
  if (session) session->rethrow_failure();
  if (code != SQLITE_OK) fail(code);
}

void Database::wipe_file() const {
  sqlite3_file* file = file_of(handle_);
  if (file == nullptr) return;
  sqlite3_int64 size = 0;
  const std::string zeros(kPageBytes, '\0');
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK) return;
  for (sqlite3_int64 at = 0; at < size; at += kPageBytes) {
    file->pMethods->xWrite(file, zeros.data(), static_cast<int>(kPageBytes), at);
  }
  file->pMethods->xSync(file, SQLITE_SYNC_FULL);
}

void Database::fail(int code) const {
  const std::string name = path_.string();
  const int system_error = handle_ == nullptr ? 0 : sqlite3_system_errno(handle_);
  const std::string reason = system_error == 0 ? std::string(sqlite3_errstr(code))
                                               : std::generic_category().message(system_error);
  switch (code & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw Error(ErrorKind::busy,
                  "The gallery {} is being changed by another program; try again later.", name);
    case SQLITE_FULL:
      throw Error(ErrorKind::no_space,
                  "Cannot write the gallery {}: the disk is full; it stays as it was.", name);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      throw Error(ErrorKind::read_only,
                  "Cannot write the gallery {}: it is write-protected or open for reading.", name);
    case SQLITE_NOTADB:
      if (is_sealed_file()) throw Error("The gallery {} is encrypted: its key is needed.", name);
      throw Error("{} is not a gallery.", name);
    case SQLITE_CORRUPT:
      throw Error(ErrorKind::damaged, "The gallery {} is damaged; restore it from a copy.", name);
    case SQLITE_CANTOPEN:
      throw Error(kind_of(system_error), "Cannot open the gallery {}: {}.", name, reason);
    case SQLITE_TOOBIG:
      throw Error("Cannot write the gallery {}: one entry holds more than 1 GB.", name);
    case SQLITE_IOERR:
      throw Error(kind_of(system_error), "Cannot read or write the gallery {}: {}.", name, reason);
    default:
      throw Error("The gallery {} cannot be used: {}.", name, sqlite3_errstr(code));
  }
}

void Database::fail_damaged() const {
  fail(SQLITE_CORRUPT);
}

DatabaseTransaction::DatabaseTransaction(const Database& database)
    : database_(database), outermost_(!database.in_transaction()) {
  database.statement(outermost_ ? "BEGIN IMMEDIATE" : "SAVEPOINT part").run();
}

DatabaseTransaction::~DatabaseTransaction() {
  // After some failures SQLite has already taken everything back by itself.
  if (!open_ || !database_.in_transaction()) return;
  try {
    if (outermost_) {
      database_.statement("ROLLBACK").run();
    } else {
      database_.statement("ROLLBACK TO part").run();
      database_.statement("RELEASE part").run();
    }
  } catch (const std::exception&) {
    // Nothing was committed, so closing the database takes it back.
  }
}

void DatabaseTransaction::commit() {
  assert(open_);
  if (!database_.in_transaction()) {
    throw Error("The changes of the gallery {} were taken back after an earlier failure.",
                database_.path().string());
  }
  database_.statement(outermost_ ? "COMMIT" : "RELEASE part").run();
  open_ = false;
}

}  // namespace longshot
