// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/gallery_sealing.h"

#include <chrono>
#include <memory>
#include <thread>

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

// Null if others do not leave it within a second.
std::unique_ptr<Database> open_alone(const fs::path& file, const GalleryKey::Shared& key) {
  for (int tries = 0; tries < 20; ++tries) {
    auto database = std::make_unique<Database>(file, Database::Access::kWrite, kRewriteWaitMs,
                                               kRewriteCacheMb, key);
    if (database->lock_out_others()) return database;
    database.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return nullptr;
}

}  // namespace

void rewrite_gallery(const fs::path& path, const GalleryKey::Shared& from,
                     const GalleryKey::Shared& to) {
  check_gallery(path, from);
  const fs::path file = fs::canonical(path);  // not a link to it
  const FolderLock lock(folder_of(file), kRewriteWaitMs);
  const std::unique_ptr<Database> old = open_alone(file, from);
  if (!old) {
    throw Error(ErrorKind::busy, "The gallery {} is in use by another program; try again later.",
                path.string());
  }
  const NewFile replacement(file, NewFile::Place::kTaken);
  old->write_copy(replacement.path(), to);
  check_gallery(replacement.path(), to);
  const bool only_name = fs::hard_link_count(file) == 1;
  fs::permissions(replacement.path(), fs::status(file).permissions());
  replacement.rename_into_place();
  if (only_name) old->wipe_file();
}

void change_gallery_key(const fs::path& path, const GalleryKey::Shared& from,
                        const GalleryKey::Shared& to) {
  const FolderLock lock(folder_of(path), kRewriteWaitMs);
  Database database(path, Database::Access::kWrite, kRewriteWaitMs, 1, from);
  database.change_key(to);
}

}  // namespace longshot
