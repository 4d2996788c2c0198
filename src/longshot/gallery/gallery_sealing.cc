// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_sealing.h"

#include "longshot/core/error.h"
#include "longshot/gallery/database.h"
#include "longshot/gallery/folder_lock.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/new_path.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr int kRewriteWaitMs = 10000;
constexpr int kRewriteCacheMb = 32;

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
  const NewFile replacement(file, NewFile::Place::kTaken);
  old.write_copy(replacement.path(), to);
  check_gallery(replacement.path(), to);
  const bool only_name = fs::hard_link_count(file) == 1;
  fs::permissions(replacement.path(), fs::status(file).permissions());
  replacement.rename_into_place();
  if (only_name) old.wipe_file();
}

void change_gallery_key(const fs::path& path, const GalleryKey::Shared& from,
                        const GalleryKey::Shared& to) {
  const FolderLock lock(folder_of(path), kRewriteWaitMs);
  Database database(path, Database::Access::kWrite, kRewriteWaitMs, 1, from);
  database.change_key(to);
}

}  // namespace longshot
