// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/shard_folder.h"

#include <algorithm>
#include <optional>
#include <system_error>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/audit_log.h"
#include "longshot/gallery/content_hash.h"

namespace longshot {
namespace {

constexpr const char* kShardSetting = "shard";  // its number; of shared.gallery "shared"
constexpr const char* kNameKey = "name key";    // of shared.gallery: hides names in the manifest

// A folder of its own, so that files can be made beside it meanwhile.
std::filesystem::path lock_folder(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::filesystem::create_directory(folder / "lock", ignored);
  return folder / "lock";
}

FolderLock::Mode mode_of(ShardFolder::Use use) {
  return use == ShardFolder::Use::kAsk ? FolderLock::Mode::kTogether : FolderLock::Mode::kAlone;
}

std::string model_checksum(std::string_view bytes) {
  std::string text;
  for (const char byte : content_hash(bytes)) {
    text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return text;
}

// Who asks puts in order what a killed change has left behind, too.
std::filesystem::path settled(const std::filesystem::path& folder, ShardFolder::Use use,
                              const ShardFolderOptions& options) {
  const ShardManifest manifest = read_shard_manifest(folder);
  if (use == ShardFolder::Use::kAsk && (manifest.moving || manifest.merging)) {
    const ShardFolder change(folder, ShardFolder::Use::kChange,
                             {.wait_ms = options.wait_ms, .key = options.key});
  }
  return folder;
}

}  // namespace

ShardFolder::ShardFolder(const std::filesystem::path& folder, Use use,
                         const ShardFolderOptions& options)
    : path_(settled(folder, use, options)),
      use_(use),
      key_(options.key),
      lock_(lock_folder(path_), options.wait_ms, mode_of(use)),
      manifest_(read_shard_manifest(path_)) {
  if (!options.half_sealed) require_one_key(path_, manifest_);
  for (Index i = 0; i < shards(); ++i) {
    std::error_code error;
    if (!options.partial && !std::filesystem::is_regular_file(file(i), error)) {
      throw Error(ErrorKind::not_found, "The shard {} is missing: restore it from a copy.",
                  file(i).string());
    }
  }
  if (manifest_.moving) settle_move();
  if (manifest_.merging) settle_merge();
}

std::filesystem::path ShardFolder::file(Index shard) const {
  return path_ / manifest_.shards[static_cast<std::size_t>(shard)].file;
}

void ShardFolder::require_change() const {
  if (use_ == Use::kChange) return;
  throw Error(ErrorKind::read_only, "{} was opened for questions alone, together with others.",
              path_.string());
}

void ShardFolder::update(const std::function<void(ShardManifest&)>& change) {
  // Nobody else writes there meanwhile.
  GalleryStore shared = open_shared(GalleryStore::Access::kWrite);
  const GalleryTransaction alone(shared);
  ShardManifest manifest = read_shard_manifest(path_);
  change(manifest);
  ++manifest.revision;
  write_shard_manifest(path_, manifest);
  manifest_ = std::move(manifest);
}

std::string ShardFolder::reserved_as(const std::string& name) {
  if (!key_) return name;
  if (!name_keys_) {
    GalleryStore shared = open_shared(GalleryStore::Access::kWrite);
    GalleryTransaction transaction(shared);
    if (!shared.setting(kNameKey)) shared.set_setting(kNameKey, AuditKeys::create());
    name_keys_.emplace(shared.setting(kNameKey).value());
    transaction.commit();
  }
  return name_keys_->person_hash(name);
}

// One shard has taken all photos or none, and the other has erased the person or not.
void ShardFolder::settle_merge() {
  const ShardMerge merge = *manifest_.merging;
  std::optional<Index> from;
  std::optional<Index> into;
  for (Index i = 0; i < shards(); ++i) {
    const GalleryStore shard = open(i, GalleryStore::Access::kRead);
    if (shard.person(merge.from)) from = i;
    if (shard.person(merge.into)) into = i;
  }
  if (from && into && *from != *into) {
    GalleryStore gone = open(*from, GalleryStore::Access::kWrite);
    const std::vector<Photo> taken = open(*into, GalleryStore::Access::kRead).photos(merge.into);
    const std::vector<Photo> photos = gone.photos(merge.from);
    const bool all = std::ranges::all_of(photos, [&](const Photo& one) {
      return std::ranges::find(taken, one.pixels, &Photo::pixels) != taken.end();
    });
    if (all) gone.remove_person(gone.person(merge.from)->name);
  }
  update([](ShardManifest& manifest) { manifest.merging.reset(); });
}

void ShardFolder::settle_move() {
  const ShardMove move = *manifest_.moving;
  GalleryStore from = open(move.from, GalleryStore::Access::kWrite);
  const GalleryStore to = open(move.to, GalleryStore::Access::kRead);
  GalleryTransaction transaction(from);
  for (const PersonId id : move.people) {
    const std::optional<Person> person = to.person(id);
    if (person) from.remove_person(person->name);
  }
  transaction.commit();
  const Index left = from.person_count();
  const Index arrived = to.person_count();
  update([&](ShardManifest& manifest) {
    manifest.shards[static_cast<std::size_t>(move.from)].people = left;
    manifest.shards[static_cast<std::size_t>(move.to)].people = arrived;
    manifest.moving.reset();
  });
}

GalleryStore open_shard(const std::filesystem::path& folder, Index shard,
                        GalleryStore::Access access, const GalleryKey::Shared& key) {
  const std::filesystem::path file = folder / shard_file_name(shard);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw Error(ErrorKind::not_found, "The shard {} is missing: restore it from a copy.",
                file.string());
  }
  GalleryStore store(file, access, {.key = key});
  if (store.setting(kShardSetting) != std::to_string(shard)) {
    throw Error(ErrorKind::damaged, "{} is not the shard {} of its folder: restore it from a copy.",
                file.string(), shard);
  }
  return store;
}

void require_no_shard(const GalleryStore& gallery) {
  if (!gallery.setting(kShardSetting)) return;
  throw Error(ErrorKind::unsupported,
              "{} is a part of a folder of shards: change the folder instead.",
              gallery.path().string());
}

void require_no_logged_shard(const GalleryStore& gallery) {
  const std::string place = gallery.setting(kShardSetting).value_or("shared");
  const std::filesystem::path shared = folder_of(gallery.path()) / kSharedGallery;
  std::error_code error;
  if (place == "shared" || !std::filesystem::exists(shared, error)) return;
  if (!is_audited({shared, GalleryStore::Access::kRead, {.key = gallery.key()}})) return;
  throw Error(ErrorKind::unsupported,
              "{} is a part of a folder of shards that keeps a log: use the folder.",
              gallery.path().string());
}

void mark_shard(GalleryStore& gallery, const std::string& place) {
  gallery.set_setting(kShardSetting, place);
}

bool is_shared_setting(std::string_view key) {
  return key != kShardSetting && key != kNameKey && !is_audit_setting(key);
}

void copy_common(const GalleryStore& from, GalleryStore& to, bool data) {
  GalleryTransaction transaction(to);
  for (const std::string& key : from.setting_keys()) {
    if (is_shared_setting(key) || (data && is_audit_setting(key)))
      to.set_setting(key, from.setting(key).value());
  }
  for (const std::string& key : from.model_keys()) to.put_model(key, from.model(key).value());
  if (data) {
    for (const std::string& key : from.index_keys()) {
      if (const auto bytes = from.index_data(key)) to.set_index_data(key, *bytes);
    }
  }
  transaction.commit();
}

void copy_person(const GalleryStore& from, const Person& person, GalleryStore& to) {
  GalleryTransaction transaction(to);
  to.restore_person(person);
  for (const Photo& photo : from.photos(person.id)) to.restore_photo(person.id, photo);
  for (const std::string& key : from.index_keys()) {
    if (const auto values = from.find_template(key, person.id)) {
      to.put_template(key, person.id, *values);
    }
  }
  transaction.commit();
}

std::vector<ShardModel> shard_models(const GalleryStore& shared) {
  std::vector<ShardModel> models;
  for (const std::string& key : shared.model_keys()) {
    models.push_back({key, model_checksum(shared.model(key).value())});
  }
  return models;
}

}  // namespace longshot
