// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>
#include <set>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/gallery/shard_folder.h"
#include "longshot/gallery/shard_hash.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerRead = 500;

// The people of a shard one after the other, in order of id.
class ShardReader {
 public:
  ShardReader(const ShardFolder& folder, Index shard)
      : store_(folder.open(shard, GalleryStore::Access::kRead)) {
    next();
  }
  const GalleryStore& store() const { return store_; }
  bool done() const { return people_.empty(); }
  const Person& person() const { return people_[at_]; }
  void next() {
    if (++at_ < people_.size()) return;
    people_ = store_.people(range_, kPeoplePerRead);
    at_ = 0;
    if (!people_.empty()) range_.first = people_.back().id + 1;
  }

 private:
  GalleryStore store_;
  IdRange range_;
  std::vector<Person> people_;
  std::size_t at_ = 0;
};

void check_common(const GalleryStore& shared, const GalleryStore& shard,
                  const ShardManifest& manifest) {
  bool same = true;
  for (const std::string& key : shared.setting_keys()) {
    same = same && (!is_shared_setting(key) || shard.setting(key) == shared.setting(key));
  }
  const std::vector<ShardModel> models = shard_models(shard);
  for (const ShardModel& model : manifest.models) {
    const auto own = std::ranges::find(models, model.key, &ShardModel::key);
    same = same && own != models.end() && own->checksum == model.checksum;
  }
  if (same) return;
  throw Error(ErrorKind::damaged,
              "The shard {} has other settings or models than its folder: restore it from a copy.",
              shard.path().string());
}

[[noreturn]] void refuse_twice(const Person& person, const GalleryStore& one,
                               const GalleryStore& other) {
  throw Error(ErrorKind::damaged, "\"{}\", or somebody with the same id, is in {} and in {}.",
              person.name, one.path().string(), other.path().string());
}

}  // namespace

ShardOrder check_shard_order(const ShardFolder& folder) {
  const GalleryStore shared = folder.open_shared(GalleryStore::Access::kRead);
  std::vector<ShardReader> readers;
  ShardOrder order;
  order.counts.shards = folder.shards();
  using Next = std::pair<PersonId, std::size_t>;  // id, shard
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (Index i = 0; i < folder.shards(); ++i) {
    readers.emplace_back(folder, i);
    check_common(shared, readers.back().store(), folder.manifest());
    order.counts.people += readers.back().store().person_count();
    order.counts.photos += readers.back().store().photo_count();
    if (!readers.back().done()) {
      next.emplace(readers.back().person().id, static_cast<std::size_t>(i));
    }
  }
  PersonId last = 0;
  std::size_t last_shard = 0;
  std::set<std::string> away;  // names; those at home cannot meet each other
  while (!next.empty()) {
    const auto [id, shard] = next.top();
    next.pop();
    ShardReader& reader = readers[shard];
    const Person person = reader.person();
    const auto home = static_cast<std::size_t>(shard_of(person.name, folder.shards()));
    if (id == last) refuse_twice(person, readers[last_shard].store(), reader.store());
    if (home != shard) {
      ++order.away;
      if (readers[home].store().find_person(person.name) || !away.insert(person.name).second) {
        refuse_twice(person, reader.store(), readers[home].store());
      }
    }
    if (id >= folder.manifest().next_person) {
      throw Error(ErrorKind::damaged,
                  "\"{}\" in {} has an id that its folder has not given: it was changed alone.",
                  person.name, reader.store().path().string());
    }
    last = id;
    last_shard = shard;
    reader.next();
    if (!reader.done()) next.emplace(reader.person().id, shard);
  }
  return order;
}

}  // namespace longshot
