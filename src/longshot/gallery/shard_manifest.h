// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "longshot/gallery/gallery_types.h"

namespace longshot {

struct ShardFile {
  std::string file;  // in the folder
  Index people = 0;  // when the manifest was written
};

struct ShardModel {
  std::string key;
  std::string checksum;  // content_hash() of the bytes, hexadecimal

  bool operator==(const ShardModel&) const = default;
};

// People on their way from one shard to another.
struct ShardMove {
  Index from = 0;
  Index to = 0;
  std::vector<PersonId> people;
};

// Two people who become one.
struct ShardMerge {
  PersonId from = 0;
  PersonId into = 0;
};

// What holds a folder of shards together: manifest.json (docs/formats.md).
struct ShardManifest {
  std::int64_t revision = 0;  // grows with every change of the manifest
  PersonId next_person = 1;   // an id that no shard has given yet
  std::vector<ShardFile> shards;
  std::vector<ShardModel> models;            // that all shards share, sorted by key
  std::optional<ShardMove> moving;           // may have been made in part
  std::optional<ShardMerge> merging;         // may have been made in part
  std::map<std::string, PersonId> reserved;  // ids of people who may have been enrolled in part
  // "encrypt", "decrypt", "rekey" or "rekey fully", of which only some files may be done.
  std::string sealing;

  Index people() const;
};

// "shared.gallery": holds nobody, but what all shards have in common.
inline constexpr const char* kSharedGallery = "shared.gallery";

// The name of a shard's file: "shard-0003.gallery".
std::string shard_file_name(Index shard);

// True for a folder with a manifest, of whatever state.
bool is_shard_folder(const std::filesystem::path& path);

// Throws Error, naming the folder, for a manifest that is damaged or of a newer version.
ShardManifest read_shard_manifest(const std::filesystem::path& folder);
// Throws Error, with what to do, for a folder in which a change of the key has not come to its end.
void require_one_key(const std::filesystem::path& folder, const ShardManifest& manifest);
void write_shard_manifest(const std::filesystem::path& folder, const ShardManifest& manifest);

}  // namespace longshot
