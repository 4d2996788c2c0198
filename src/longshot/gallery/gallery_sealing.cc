// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_sealing.h"

#include <cerrno>
#include <string>
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

constexpr int kRewriteWaitMs = 10000;
constexpr int kRewriteCacheMb = 32;

// A file that goes again, with all that SQLite puts beside it. What a killed process left of the
// same name goes first.
class Replacement {
 public:
  explicit Replacement(const fs::path& replaced) : path_(replaced.string() + ".new") {
    remove();
    const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (descriptor < 0) fail("Cannot write");
    ::close(descriptor);
  }
  ~Replacement() { remove(); }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  const fs::path& path() const { return path_; }
  // Takes the name of the other one, for good.
  void replace(const fs::path& replaced) const {
    sync(path_, O_RDWR);
    if (::rename(path_.c_str(), replaced.c_str()) != 0) fail("Cannot rename");
    sync(folder_of(replaced), O_RDONLY | O_DIRECTORY);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(kind_of(errno), "{} {}: {}.", what, path_.string(),
                std::generic_category().message(errno));
  }
  void sync(const fs::path& path, int flags) const {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) fail("Cannot write");
    const int failed = ::fsync(descriptor);
    ::close(descriptor);
    if (failed != 0 && (flags & O_DIRECTORY) == 0) fail("Cannot write");
  }
  void remove() const {
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
      ::unlink((path_.string() + ending).c_str());
    }
  }

  fs::path path_;
};

// Opens it as every command does, which finishes what was left and says what is wrong with it.
void check_gallery(const fs::path& path, const GalleryKey::Shared& key) {
  GalleryOptions options;
  options.key = key;
  GalleryStore(path, GalleryStore::Access::kWrite, options).check_integrity();
}

}  // namespace

void rewrite_gallery(const fs::path& path, const GalleryKey::Shared& from,
                     const GalleryKey::Shared& to) {
  check_gallery(path, from);
  const fs::path file = fs::canonical(path);  // not a link to it
  const FolderLock lock(folder_of(file), kRewriteWaitMs);
  const Database old(file, Database::Access::kWrite, kRewriteWaitMs, kRewriteCacheMb, from);
  if (!old.lock_out_others()) {
    throw Error(ErrorKind::busy, "The gallery {} is in use by another program; try again later.",
                path.string());
  }
  const Replacement replacement(file);
  old.write_copy(replacement.path(), to);
  check_gallery(replacement.path(), to);
  const bool only_name = fs::hard_link_count(file) == 1;
  fs::permissions(replacement.path(), fs::status(file).permissions());
  replacement.replace(file);
  if (only_name) old.wipe_file();
}

void change_gallery_key(const fs::path& path, const GalleryKey::Shared& from,
                        const GalleryKey::Shared& to) {
  const FolderLock lock(folder_of(path), kRewriteWaitMs);
  Database database(path, Database::Access::kWrite, kRewriteWaitMs, 1, from);
  database.change_key(to);
}

}  // namespace longshot
