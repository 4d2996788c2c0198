// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/audit_line.h"
#include "longshot/gallery/folder_lock.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/gallery/shard_manifest.h"

namespace longshot {

// Opens a shard of a folder that somebody keeps locked. Throws Error, naming it, if it is missing
// or belongs to another folder or place.
GalleryStore open_shard(const std::filesystem::path& folder, Index shard,
                        GalleryStore::Access access, const GalleryKey::Shared& key = nullptr);

struct ShardFolderOptions {
  bool partial = false;                    // shards may be missing
  int wait_ms = GalleryOptions().wait_ms;  // for others who have the folder
  GalleryKey::Shared key = nullptr;        // of all its files
  bool half_sealed = false;                // for who goes on with a change of the key
};

// A large gallery: a folder of ordinary gallery files, each of which can be searched alone, with a
// manifest and what they have in common (docs/cluster.md). A new person goes to the shard that
// shard_of() says; ids are given once in the whole folder, so that they mean the same as in one
// file.
//
// While the object lives the folder is locked: for asking together with others, for changing alone.
// What a change that was killed has left behind is put in order first.
class ShardFolder {
 public:
  enum class Use { kAsk, kChange };

  // Throws Error for what is not such a folder, naming a shard that is missing unless that is
  // allowed, and for a folder whose key was changed in part.
  ShardFolder(const std::filesystem::path& folder, Use use, const ShardFolderOptions& options = {});

  const std::filesystem::path& path() const { return path_; }
  const ShardManifest& manifest() const { return manifest_; }
  Index shards() const { return static_cast<Index>(manifest_.shards.size()); }
  std::filesystem::path file(Index shard) const;
  std::filesystem::path shared_file() const { return path_ / kSharedGallery; }

  const GalleryKey::Shared& key() const { return key_; }

  GalleryStore open(Index shard, GalleryStore::Access access) const {
    return open_shard(path_, shard, access, key_);
  }
  GalleryStore open_shared(GalleryStore::Access access) const {
    return {shared_file(), access, {.key = key_}};
  }

  // Throws Error if the folder was opened for asking.
  void require_change() const;
  // Reads the manifest again, changes it and makes it durable, one process at a time.
  void update(const std::function<void(ShardManifest&)>& change);
  // As ShardManifest::reserved has somebody: by name, or as a keyed hash. Not inside update().
  std::string reserved_as(const std::string& name);

 private:
  void settle_move();  // what it has left behind
  void settle_merge();

  std::filesystem::path path_;
  Use use_;
  GalleryKey::Shared key_;
  FolderLock lock_;
  ShardManifest manifest_;
  std::optional<AuditKeys> name_keys_;  // of an encrypted folder, once they were needed
};

// Throws Error if the gallery is part of a folder of shards, where ids and names would meet those
// of the others.
void require_no_shard(const GalleryStore& gallery);
// Throws Error if it is part of one that keeps a log, which would not hear of it.
void require_no_logged_shard(const GalleryStore& gallery);
// Makes it one: `place` is its number, or "shared".
void mark_shard(GalleryStore& gallery, const std::string& place);

// Whether all files of a folder have the setting alike; others belong to one file alone.
bool is_shared_setting(std::string_view key);

// As the manifest names the models of the gallery.
std::vector<ShardModel> shard_models(const GalleryStore& shared);

// What all shards share, as they share it: settings and models, and with `data` also what belongs
// to the indexes as a whole, and how the log is kept (but not the log: see copy_audit).
void copy_common(const GalleryStore& from, GalleryStore& to, bool data);

// The person with photos and templates, under the same id.
void copy_person(const GalleryStore& from, const Person& person, GalleryStore& to);

// How many people, photos and shards a folder has been made of, or has.
struct ShardCounts {
  Index shards = 0;
  Index people = 0;
  Index photos = 0;
};

// Writes the people of a gallery to a new folder of so many shards (1 to 65536). Killed, nothing is
// there. Of an encrypted gallery all shards have its key. Throws Error if there is such a folder.
ShardCounts split_gallery(const GalleryStore& gallery, const std::filesystem::path& folder,
                          Index shards, Progress& progress = no_progress());

// Writes the people of all shards to one new file, with the same ids and key.
ShardCounts merge_shards(const ShardFolder& folder, const std::filesystem::path& file,
                         Progress& progress = no_progress());

// Copies the folder as it is to a new one; each file has been read once before that gets its name.
void back_up_shards(const ShardFolder& folder, const std::filesystem::path& out,
                    Progress& progress = no_progress());

// One more shard, still empty: rebalance_shards() fills it.
void add_shard(ShardFolder& folder);

// Moves everybody to the shard that they belong to; returns how many. Killed at any moment nobody
// is lost, and nobody is there twice when the folder is opened again; called again, it goes on.
Index rebalance_shards(ShardFolder& folder, Progress& progress = no_progress());

struct ShardOrder {
  ShardCounts counts;
  Index away = 0;  // people in another shard than the one that they belong to
};

// That names and ids are there once, and that all shards share settings and models. Throws Error,
// naming the shard. What each file holds is not read: see GalleryStore::check_integrity().
ShardOrder check_shard_order(const ShardFolder& folder);

}  // namespace longshot
