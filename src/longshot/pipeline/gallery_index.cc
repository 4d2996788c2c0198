// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_index.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/gallery/read_ahead.h"
#include "longshot/pipeline/gallery_damage.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerTransaction = 500;
constexpr Index kBlockBytes = Index{64} << 20;  // of templates in memory while searching
constexpr Index kMostPerBlock = 20000;
constexpr PersonId kIdsPerPart = 64;  // that one thread reads at a time
constexpr Index kPartsPerRound = 16;  // that are laid out together, while they are in the cache
constexpr int kMostReaders = 8;

void append_stored(const TemplateBlock& templates, std::vector<StoredTemplate>& people) {
  for (Index i = 0; i < templates.size(); ++i) people.push_back(templates.values_of(i));
}

// By the size of the first.
Index people_per_block(const GalleryStore& gallery, const GalleryModel& model) {
  const TemplateBlock first = gallery.read_templates(model.key, {}, 1);
  const auto bytes = static_cast<Index>(first.values.size() * sizeof(float));
  return std::clamp<Index>(kBlockBytes / std::max<Index>(bytes, 1), 1, kMostPerBlock);
}

std::vector<PersonPhotos> photos_of_all(const GalleryStore& gallery,
                                        const std::vector<PersonId>& people, Size high) {
  std::vector<PersonPhotos> all;
  for (const PersonId person : people) {
    Matrix photos = photos_of(gallery, person, high);
    if (photos.cols() > 0) all.push_back({person, std::move(photos)});
  }
  return all;
}

// The first of the people beginning with `range` who have photos but no template; none: complete.
std::vector<PersonId> people_to_index(const GalleryStore& gallery, const GalleryModel& model,
                                      IdRange range, Index limit) {
  std::vector<PersonId> people;
  while (people.empty()) {
    people = gallery.people_without_template(model.key, range, limit);
    if (people.empty()) return people;
    range.first = people.back() + 1;
    std::erase_if(people, [&](PersonId id) { return gallery.person(id)->photos == 0; });
  }
  return people;
}

bool is_most_of_the_file(const GalleryStore& gallery, const GalleryModel& model) {
  std::error_code error;
  const auto bytes = static_cast<Index>(std::filesystem::file_size(gallery.path(), error));
  return !error && 2 * index_bytes(gallery, model) > bytes;
}

// The same state of a gallery through several connections, one for each thread.
class Readers {
 public:
  explicit Readers(const GalleryStore& gallery) : stores_{&gallery} {
    const std::int64_t revision = gallery.revision();
    GalleryOptions options;
    options.cache_mb = 1;  // as every page is read once
    options.key = gallery.key();
    for (int i = 1; i < std::min(thread_count(), kMostReaders); ++i) {
      auto store =
          std::make_unique<GalleryStore>(gallery.path(), GalleryStore::Access::kRead, options);
      auto snapshot = std::make_unique<GallerySnapshot>(*store);
      // Somebody has changed it meanwhile: the caller's own connection reads alone.
      if (store->revision() != revision) break;
      stores_.push_back(store.get());
      own_.push_back(std::move(store));
      snapshots_.push_back(std::move(snapshot));
    }
  }
  Index count() const { return static_cast<Index>(stores_.size()); }
  const GalleryStore& operator[](Index i) const { return *stores_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<const GalleryStore*> stores_;
  std::vector<std::unique_ptr<GalleryStore>> own_;
  std::vector<std::unique_ptr<GallerySnapshot>> snapshots_;
};

}  // namespace

Matrix photos_of(const GalleryStore& gallery, PersonId person, Size high) {
  const std::vector<Photo> photos = gallery.photos(person);
  Matrix faces(high.pixels(), static_cast<Index>(photos.size()));
  for (std::size_t i = 0; i < photos.size(); ++i) {
    if (photos[i].rows != high.rows || photos[i].cols != high.cols) {
      throw Error(ErrorKind::damaged, "The gallery is damaged: a photo is {}, not {}.",
                  to_string(Size{photos[i].rows, photos[i].cols}), to_string(high));
    }
    faces.col(static_cast<Index>(i)) = face_of(photos[i]);
  }
  return faces;
}

void complete_index(GalleryStore& gallery, const GalleryModel& model, Progress& progress) {
  const Index missing = gallery.person_count() - gallery.template_count(model.key);
  if (missing <= 0 || people_to_index(gallery, model, {}, 1).empty()) return;
  ProgressScope scope(progress, "Building the index " + model_title(model.key), missing);
  IdRange range;
  while (true) {
    // Photos are read in the transaction that writes the templates, so that neither can be stale.
    GalleryTransaction transaction(gallery);
    const std::vector<PersonId> people =
        people_to_index(gallery, model, range, kPeoplePerTransaction);
    if (people.empty()) break;
    extend_index(gallery, model, photos_of_all(gallery, people, model.model.geometry.high));
    transaction.commit();
    range.first = people.back() + 1;
    scope.advance(static_cast<Index>(people.size()));
  }
}

void extend_index(GalleryStore& gallery, const GalleryModel& model,
                  const std::vector<PersonPhotos>& people) {
  std::vector<std::vector<float>> values(people.size());
  parallel_for(static_cast<Index>(people.size()), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    values[at] = template_values(model.enrol(people[at].photos));
  });
  GalleryTransaction transaction(gallery);
  for (std::size_t i = 0; i < people.size(); ++i) {
    gallery.put_template(model.key, people[i].person, values[i]);
  }
  transaction.commit();
}

void extend_indexes(GalleryStore& gallery, const std::vector<GalleryModel>& models,
                    const std::vector<PersonPhotos>& people) {
  for (const GalleryModel& model : models) extend_index(gallery, model, people);
}

bool remove_photo(GalleryStore& gallery, const std::string& person, PhotoId photo) {
  // Models that another process makes meanwhile are either seen here or see the change.
  GalleryTransaction transaction(gallery);
  const std::optional<Person> found = gallery.find_person(person);
  if (!found) {
    throw Error("There is no person named \"{}\" in {}.", person, gallery.path().string());
  }
  const std::vector<Photo> photos = gallery.photos(found->id);
  if (std::ranges::find(photos, photo, &Photo::id) == photos.end()) return false;
  gallery.remove_photo(photo);
  if (photos.size() > 1) {
    extend_indexes(gallery, all_models(gallery),
                   photos_of_all(gallery, {found->id}, setup_of(gallery).high));
  }
  transaction.commit();
  return true;
}

void for_each_block(const GalleryStore& gallery, const GalleryModel& model,
                    const std::function<void(const IndexBlock&)>& visit) {
  if (!model.recognizer->has_independent_distances()) {
    const IndexBlock all = read_index(gallery, model);
    if (!all.people.empty()) visit(all);
    return;
  }
  const Index limit = people_per_block(gallery, model);
  TemplateBlock templates;
  IdRange range;
  Index seen = 0;
  while (true) {
    templates = gallery.read_templates(model.key, range, limit, std::move(templates));
    seen += templates.size();
    if (templates.people.empty()) {
      if (seen != gallery.template_count(model.key)) throw damaged(gallery);
      return;
    }
    range.first = templates.people.back() + 1;
    std::unique_ptr<Searcher> searcher = model.recognizer->make_searcher();
    std::vector<StoredTemplate> stored;
    append_stored(templates, stored);
    searcher->add_stored(stored);
    visit({templates.people, std::move(searcher)});
  }
}

Index index_bytes(const GalleryStore& gallery, const GalleryModel& model) {
  const TemplateBlock first = gallery.read_templates(model.key, {}, 1);
  return gallery.template_count(model.key) *
         static_cast<Index>(first.values.size() * sizeof(float));
}

IndexBlock read_index(const GalleryStore& gallery, const GalleryModel& model) {
  std::unique_ptr<Searcher> searcher = model.recognizer->make_searcher();
  IndexBlock block;
  const PersonId end = gallery.last_person_id() + 1;
  const Readers readers(gallery);
  std::optional<ReadAhead> ahead;
  if (is_most_of_the_file(gallery, model)) ahead.emplace(gallery.path());
  std::vector<TemplateBlock> parts(kPartsPerRound);
  std::vector<StoredTemplate> stored;
  for (PersonId first = 1; first < end; first += kPartsPerRound * kIdsPerPart) {
    std::atomic<Index> next = 0;
    parallel_for(readers.count(), [&](Index i) {
      for (Index k = next++; k < kPartsPerRound; k = next++) {
        TemplateBlock& part = parts[static_cast<std::size_t>(k)];
        const PersonId from = first + k * kIdsPerPart;
        part = readers[i].read_templates(model.key, {from, from + kIdsPerPart - 1}, kNoLimit,
                                         std::move(part));
      }
    });
    stored.clear();
    for (const TemplateBlock& part : parts) {
      append_stored(part, stored);
      block.people.insert(block.people.end(), part.people.begin(), part.people.end());
    }
    searcher->add_stored(stored);
  }
  // A lost page of the gallery has no templates, and nothing else would say so.
  if (std::ssize(block.people) != gallery.template_count(model.key)) throw damaged(gallery);
  block.searcher = std::move(searcher);
  return block;
}

IndexBlock block_of(const GalleryStore& gallery, const GalleryModel& model,
                    const std::vector<PersonId>& people) {
  std::unique_ptr<Searcher> searcher = model.recognizer->make_searcher();
  IndexBlock block;
  std::vector<std::vector<float>> templates;
  for (const PersonId person : people) {
    std::optional<std::vector<float>> values = gallery.find_template(model.key, person);
    if (!values) continue;
    templates.push_back(std::move(*values));
    block.people.push_back(person);
  }
  searcher->add_stored(std::vector<StoredTemplate>(templates.begin(), templates.end()));
  block.searcher = std::move(searcher);
  return block;
}

}  // namespace longshot
