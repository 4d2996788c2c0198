// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/database.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/new_path.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr int kCopyWaitMs = 1000;
constexpr int kCopyCacheMb = 4;  // as every page is written once

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
