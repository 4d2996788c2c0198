// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/shard_folder.h"

namespace longshot {

struct CompactReport {
  std::int64_t bytes_before = 0;  // of the file
  std::int64_t bytes_after = 0;
  std::vector<std::string> forgotten;  // keys of the indexes that were erased
};

// Makes the file small. Indexes are made anew when they are next needed, and answer as before, as
// what was learnt stays: so the oldest go until the others fit into that many bytes. Those of
// cameras go with what was learnt for the camera. Killed in between, the gallery is whole.
CompactReport compact_gallery(GalleryStore& gallery, std::int64_t cache_bytes,
                              Progress& progress = no_progress());

struct CheckReport {
  Index people = 0;
  Index photos = 0;
  Index indexes = 0;
  std::int64_t bytes = 0;  // of the file
};

// Reads everything and compares it with its checksums; throws Error if something is damaged.
CheckReport check_gallery(const GalleryStore& gallery, Progress& progress = no_progress());
// The same of all shards, which are also compared with each other.
CheckReport check_folder(const ShardFolder& folder, Progress& progress = no_progress());

// Makes two people one, as GalleryStore::merge_people, and their templates anew.
void merge_people(GalleryStore& gallery, const std::string& from, const std::string& into);

}  // namespace longshot
