// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_upkeep.h"

#include <algorithm>
#include <numeric>

#include "longshot/core/error.h"
#include "longshot/pipeline/gallery_index.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerStep = 500;

// Erases the oldest indexes until the others fit.
std::vector<std::string> bound_indexes(GalleryStore& gallery, std::int64_t cache_bytes) {
  GalleryTransaction transaction(gallery);
  const std::vector<IndexSize> sizes = gallery.index_sizes();
  std::int64_t bytes =
      std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0},
                      [](std::int64_t sum, const IndexSize& one) { return sum + one.bytes; });
  std::vector<std::string> forgotten;
  for (const IndexSize& one : sizes) {
    if (bytes <= cache_bytes) break;
    gallery.erase_index(one.key);
    if (is_of_camera(one.key)) gallery.erase_model(one.key);
    bytes -= one.bytes;
    forgotten.push_back(one.key);
  }
  transaction.commit();
  return forgotten;
}

void read_photos(const GalleryStore& gallery, Progress& progress) {
  ProgressScope scope(progress, "Reading photos", gallery.person_count());
  IdRange range;
  while (true) {
    const std::vector<Person> people = gallery.people(range, kPeoplePerStep);
    if (people.empty()) return;
    for (const Person& person : people) gallery.photos(person.id);
    range.first = people.back().id + 1;
    scope.advance(std::ssize(people));
  }
}

void read_indexes(const GalleryStore& gallery, Progress& progress) {
  const std::vector<std::string> keys = gallery.index_keys();
  ProgressScope scope(progress, "Reading indexes", std::ssize(keys));
  TemplateBlock block;
  for (const std::string& key : keys) {
    IdRange range;
    do {
      block = gallery.read_templates(key, range, kPeoplePerStep, std::move(block));
      if (!block.people.empty()) range.first = block.people.back() + 1;
    } while (!block.people.empty());
    scope.advance();
  }
}

}  // namespace

CompactReport compact_gallery(GalleryStore& gallery, std::int64_t cache_bytes, Progress& progress) {
  if (cache_bytes < 0) throw Error("The room for indexes must not be negative.");
  ProgressScope scope(progress, "Compacting", 2);
  CompactReport report;
  report.bytes_before = gallery.file_bytes();
  if (!holds_templates_only(gallery)) report.forgotten = bound_indexes(gallery, cache_bytes);
  scope.advance();
  gallery.give_back_unused();
  report.bytes_after = gallery.file_bytes();
  scope.advance();
  return report;
}

CheckReport check_gallery(const GalleryStore& gallery, Progress& progress) {
  const GallerySnapshot snapshot(gallery);
  {
    ProgressScope scope(progress, "Reading tables", 1);
    gallery.check_integrity();
    scope.advance();
  }
  read_photos(gallery, progress);
  read_indexes(gallery, progress);
  find_setup(gallery);
  find_training(gallery);
  all_models(gallery);
  return {gallery.person_count(), gallery.photo_count(), std::ssize(gallery.index_keys()),
          gallery.file_bytes()};
}

CheckReport check_folder(const ShardFolder& folder, Progress& progress) {
  CheckReport all;
  for (Index i = 0; i < folder.shards(); ++i) {
    const CheckReport one = check_gallery(folder.open(i, GalleryStore::Access::kRead), progress);
    all.people += one.people;
    all.photos += one.photos;
    all.indexes = std::max(all.indexes, one.indexes);
    all.bytes += one.bytes;
  }
  check_shard_order(folder);
  return all;
}

void merge_people(GalleryStore& gallery, const std::string& from, const std::string& into) {
  require_photos(gallery);
  // Models that another process makes meanwhile are either seen here or see the change.
  GalleryTransaction transaction(gallery);
  gallery.merge_people(from, into);
  const PersonId person = gallery.find_person(into)->id;
  Matrix photos = photos_of(gallery, person, setup_of(gallery).high);
  if (photos.cols() > 0) {
    extend_indexes(gallery, all_models(gallery), {{person, std::move(photos)}});
  }
  transaction.commit();
}

}  // namespace longshot
