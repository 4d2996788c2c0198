// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/audit_log.h"
#include "longshot/gallery/new_path.h"
#include "longshot/gallery/shard_folder.h"
#include "longshot/gallery/shard_hash.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr Index kPeoplePerStep = 500;
constexpr Index kMostShardsMade = 65536;

// Calls visit(people) for a few hundred at a time, in order of id.
template <typename Visit>
void for_each_step(const GalleryStore& gallery, const Visit& visit) {
  IdRange range;
  while (true) {
    const std::vector<Person> people = gallery.people(range, kPeoplePerStep);
    if (people.empty()) return;
    visit(people);
    range.first = people.back().id + 1;
  }
}

GalleryStore new_shard(const fs::path& file, const GalleryStore& common, const std::string& place,
                       bool data) {
  GalleryStore shard(file, GalleryStore::Access::kCreate, {.key = common.key()});
  GalleryTransaction transaction(shard);
  copy_common(common, shard, data);
  mark_shard(shard, place);
  transaction.commit();
  return shard;
}

ShardCounts counts_of(const std::vector<GalleryStore>& stores) {
  ShardCounts counts;
  counts.shards = std::ssize(stores);
  for (const GalleryStore& store : stores) {
    counts.people += store.person_count();
    counts.photos += store.photo_count();
  }
  return counts;
}

std::vector<GalleryStore> open_all(const ShardFolder& folder, GalleryStore::Access access) {
  std::vector<GalleryStore> stores;
  for (Index i = 0; i < folder.shards(); ++i) stores.push_back(folder.open(i, access));
  return stores;
}

// Copies those of the people whom `chosen` takes, all or nobody.
template <typename Chosen>
void copy_people(const GalleryStore& from, const std::vector<Person>& people, GalleryStore& to,
                 const Chosen& chosen) {
  GalleryTransaction transaction(to);
  for (const Person& person : people) {
    if (chosen(person)) copy_person(from, person, to);
  }
  transaction.commit();
}

// Moves these people; each step is durable before the next begins, and told.
void move_people(ShardFolder& folder, GalleryStore& from, GalleryStore& to, const ShardMove& move,
                 const std::vector<Person>& people, Progress& progress) {
  folder.update([&](ShardManifest& manifest) { manifest.moving = move; });
  progress.advance(0);
  copy_people(from, people, to, [](const Person&) { return true; });
  progress.advance(0);
  GalleryTransaction transaction(from);
  for (const Person& person : people) from.remove_person(person.name);
  transaction.commit();
  progress.advance(0);
  folder.update([&](ShardManifest& manifest) {
    manifest.shards[static_cast<std::size_t>(move.from)].people = from.person_count();
    manifest.shards[static_cast<std::size_t>(move.to)].people = to.person_count();
    manifest.moving.reset();
  });
}

}  // namespace

ShardCounts split_gallery(const GalleryStore& gallery, const fs::path& folder, Index shards,
                          Progress& progress) {
  if (shards < 1 || shards > kMostShardsMade) {
    throw Error("A folder has 1 to {} shards, not {}.", kMostShardsMade, shards);
  }
  require_no_shard(gallery);
  const GallerySnapshot snapshot(gallery);
  NewFolder made(folder);
  ShardManifest manifest;
  manifest.next_person = gallery.next_person_id();
  std::vector<GalleryStore> stores;
  for (Index i = 0; i < shards; ++i) {
    stores.push_back(
        new_shard(made.path() / shard_file_name(i), gallery, std::to_string(i), false));
  }
  ProgressScope scope(progress, "Splitting", gallery.person_count());
  for_each_step(gallery, [&](const std::vector<Person>& people) {
    for (Index i = 0; i < shards; ++i) {
      copy_people(gallery, people, stores[static_cast<std::size_t>(i)],
                  [&](const Person& person) { return shard_of(person.name, shards) == i; });
    }
    scope.advance(std::ssize(people));
  });
  for (Index i = 0; i < shards; ++i) {
    manifest.shards.push_back(
        {shard_file_name(i), stores[static_cast<std::size_t>(i)].person_count()});
  }
  manifest.models = shard_models(new_shard(made.path() / kSharedGallery, gallery, "shared", true));
  copy_audit(gallery, made.path() / kSharedGallery);
  write_shard_manifest(made.path(), manifest);
  const ShardCounts counts = counts_of(stores);
  stores.clear();  // closed before their folder gets its name
  made.rename_into_place();
  return counts;
}

ShardCounts merge_shards(const ShardFolder& folder, const fs::path& file, Progress& progress) {
  const std::vector<GalleryStore> stores = open_all(folder, GalleryStore::Access::kRead);
  const ShardCounts counts = counts_of(stores);
  const NewFile made(file);
  const GalleryStore shared = folder.open_shared(GalleryStore::Access::kRead);
  if (is_audited(shared)) require_no_audit(file);
  {
    GalleryStore out(made.path(), GalleryStore::Access::kCreate, {.key = folder.key()});
    copy_common(shared, out, true);
    ProgressScope scope(progress, "Merging", counts.people);
    for (const GalleryStore& store : stores) {
      for_each_step(store, [&](const std::vector<Person>& people) {
        copy_people(store, people, out, [](const Person&) { return true; });
        scope.advance(std::ssize(people));
      });
    }
  }
  made.rename_into_place();
  copy_audit(shared, file);
  return counts;
}

void back_up_shards(const ShardFolder& folder, const fs::path& out, Progress& progress) {
  NewFolder made(out);
  ProgressScope scope(progress, "Copying shards", folder.shards() + 1);
  const auto copy = [&](const GalleryStore& store) {
    store.back_up(made.path() / store.path().filename(),
                  [&](std::int64_t, std::int64_t) { progress.advance(0); });
    scope.advance();
  };
  const GalleryStore shared = folder.open_shared(GalleryStore::Access::kRead);
  copy(shared);
  copy_audit(shared, made.path() / kSharedGallery);
  for (Index i = 0; i < folder.shards(); ++i) copy(folder.open(i, GalleryStore::Access::kRead));
  write_shard_manifest(made.path(), folder.manifest());
  made.rename_into_place();
}

void add_shard(ShardFolder& folder) {
  const Index number = folder.shards();
  const fs::path file = folder.path() / shard_file_name(number);
  // One that a killed call has left behind is in no manifest, so nobody is in it.
  for (const char* ending : {"", "-wal", "-shm"}) {
    std::error_code ignored;
    fs::remove(fs::path(file.string() + ending), ignored);
  }
  {
    const NewFile made(file);
    const GalleryStore shared = folder.open_shared(GalleryStore::Access::kRead);
    new_shard(made.path(), shared, std::to_string(number), false);
    made.rename_into_place();
  }
  folder.update([&](ShardManifest& manifest) {
    manifest.shards.push_back({shard_file_name(number), 0});
  });
}

Index rebalance_shards(ShardFolder& folder, Progress& progress) {
  std::vector<GalleryStore> stores = open_all(folder, GalleryStore::Access::kWrite);
  Index moved = 0;
  ProgressScope scope(progress, "Rebalancing", counts_of(stores).people);
  for (Index i = 0; i < folder.shards(); ++i) {
    GalleryStore& from = stores[static_cast<std::size_t>(i)];
    for_each_step(from, [&](const std::vector<Person>& people) {
      std::map<Index, std::vector<Person>> leaving;
      for (const Person& person : people) {
        const Index home = shard_of(person.name, folder.shards());
        if (home != i) leaving[home].push_back(person);
      }
      for (const auto& [home, group] : leaving) {
        ShardMove move{i, home, {}};
        for (const Person& person : group) move.people.push_back(person.id);
        move_people(folder, from, stores[static_cast<std::size_t>(home)], move, group, progress);
        moved += std::ssize(group);
      }
      scope.advance(std::ssize(people));
    });
  }
  return moved;
}

}  // namespace longshot
