// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "longshot/core/error.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/folder_lock.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr int kCopyWaitMs = 1000;
constexpr int kCopyCacheMb = 4;  // as every page is written once

fs::path beside(const fs::path& path, std::string_view ending) {
  fs::path other = path;
  other += ending;
  return other;
}

void check_new(const fs::path& out) {
  std::error_code error;
  for (const char* ending : {"", "-wal", "-journal"}) {
    const fs::path there = beside(out, ending);
    if (fs::exists(fs::symlink_status(there, error))) {
      throw Error(ErrorKind::already_there, "Cannot write {}: there is {} already.", out.string(),
                  there.string());
    }
  }
}

// A file that goes again, with all that SQLite puts beside it, unless it gets its name.
class NewFile {
 public:
  explicit NewFile(const fs::path& out) : out_(out) {
    static std::atomic<unsigned> counter{0};
    path_ = beside(out, fmt::format(".{}-{}.tmp", ::getpid(), counter++));
  }
  ~NewFile() {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      ::unlink(beside(path_, ending).c_str());
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  const fs::path& path() const { return path_; }
  void rename_into_place() const {
    check_new(out_);
    if (::rename(path_.c_str(), out_.c_str()) != 0) {
      throw Error(kind_of(errno), "Cannot write {}: {}.", out_.string(),
                  std::generic_category().message(errno));
    }
    const int folder = ::open(folder_of(out_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    ::fsync(folder);
    ::close(folder);
  }

 private:
  fs::path out_;
  fs::path path_;
};

}  // namespace

std::int64_t GalleryStore::file_bytes() const {
  return database_->number("PRAGMA page_count") * database_->number("PRAGMA page_size");
}

std::vector<IndexSize> GalleryStore::index_sizes() const {
  Statement query = database_->statement(
      "SELECT key, (SELECT ifnull(sum(length(bytes)), 0) FROM templates WHERE id BETWEEN "
      "(indexes.id << 40) + 1 AND ((indexes.id + 1) << 40) - 1) + "
      "ifnull((SELECT length(bytes) FROM index_data WHERE index_id = indexes.id), 0) "
      "FROM indexes ORDER BY id");
  std::vector<IndexSize> sizes;
  while (query.step()) sizes.push_back({std::string(query.text(0)), query.integer(1)});
  return sizes;
}

void GalleryStore::give_back_unused() {
  database_->execute("VACUUM");
  pending_ = !database_->empty_log(true);
}

void GalleryStore::back_up(
    const fs::path& out,
    const std::function<void(std::int64_t done, std::int64_t all)>& tell) const {
  check_new(out);
  const NewFile file(out);
  {
    const Database copy(file.path(), Database::Access::kCreate, kCopyWaitMs, kCopyCacheMb, key());
    const GallerySnapshot snapshot(*this);
    database_->copy_into(copy, tell);
  }
  GalleryOptions options;
  options.key = key();
  GalleryStore(file.path(), Access::kWrite, options).check_integrity();
  file.rename_into_place();
}

}  // namespace longshot
