// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_index.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/pipeline/template_values.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerTransaction = 500;
constexpr Index kBlockBytes = Index{64} << 20;  // of templates in memory while searching
constexpr Index kMostPerBlock = 20000;
constexpr Index kPeoplePerStep = 256;  // whose templates are unpacked at a time

// Reads with the caller's thread, computes with all: a gallery serves one thread at a time.
void make_templates(GalleryStore& gallery, const GalleryModel& model,
                    const std::vector<PersonId>& people) {
  const auto count = static_cast<Index>(people.size());
  std::vector<Matrix> photos;
  photos.reserve(people.size());
  for (const PersonId person : people) {
    photos.push_back(photos_of(gallery, person, model.model.geometry.high));
  }
  std::vector<std::vector<float>> values(people.size());
  parallel_for(count, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    if (photos[at].cols() > 0) values[at] = template_values(model.enrol(photos[at]));
  });
  for (std::size_t i = 0; i < people.size(); ++i) {
    if (!values[i].empty()) gallery.put_template(model.key, people[i], values[i]);
  }
}

void add_templates(const TemplateBlock& templates, IndexBlock& block) {
  std::vector<Template> people(static_cast<std::size_t>(kPeoplePerStep));
  for (Index first = 0; first < templates.size(); first += kPeoplePerStep) {
    const Index count = std::min(kPeoplePerStep, templates.size() - first);
    parallel_for(count, [&](Index i) {
      people[static_cast<std::size_t>(i)] = template_of(templates.values_of(first + i));
    });
    for (Index i = 0; i < count; ++i) block.searcher->add(people[static_cast<std::size_t>(i)]);
  }
  block.people.insert(block.people.end(), templates.people.begin(), templates.people.end());
}

// By the size of the first.
Index people_per_block(const GalleryStore& gallery, const GalleryModel& model) {
  const TemplateBlock first = gallery.read_templates(model.key, {}, 1);
  const auto bytes = static_cast<Index>(first.values.size() * sizeof(float));
  return std::clamp<Index>(kBlockBytes / std::max<Index>(bytes, 1), 1, kMostPerBlock);
}

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
  if (missing <= 0) return;
  ProgressScope scope(progress, "Building the index " + model.key, missing);
  IdRange range;
  while (true) {
    // Photos are read in the transaction that writes the templates, so that neither can be stale.
    GalleryTransaction transaction(gallery);
    const std::vector<PersonId> people =
        gallery.people_without_template(model.key, range, kPeoplePerTransaction);
    if (people.empty()) break;
    make_templates(gallery, model, people);
    transaction.commit();
    range.first = people.back() + 1;
    scope.advance(static_cast<Index>(people.size()));
  }
}

void extend_index(GalleryStore& gallery, const GalleryModel& model,
                  const std::vector<PersonId>& people) {
  make_templates(gallery, model, people);
}

void extend_indexes(GalleryStore& gallery, const std::vector<GalleryModel>& models,
                    const std::vector<PersonId>& people) {
  for (const GalleryModel& model : models) extend_index(gallery, model, people);
}

void for_each_block(const GalleryStore& gallery, const GalleryModel& model,
                    const std::function<void(const IndexBlock&)>& visit) {
  const bool independent = model.recognizer->has_independent_distances();
  const Index limit = people_per_block(gallery, model);
  TemplateBlock templates;
  IdRange range;
  IndexBlock block{{}, model.recognizer->make_searcher()};
  while (true) {
    templates = gallery.read_templates(model.key, range, limit, std::move(templates));
    if (templates.people.empty()) break;
    range.first = templates.people.back() + 1;
    if (block.people.empty()) {
      block.searcher->reserve(templates.size(), template_of(templates.values_of(0)));
    }
    add_templates(templates, block);
    if (!independent) continue;
    visit(block);
    block = {{}, model.recognizer->make_searcher()};
  }
  if (!block.people.empty()) visit(block);
}

Index index_bytes(const GalleryStore& gallery, const GalleryModel& model) {
  const TemplateBlock first = gallery.read_templates(model.key, {}, 1);
  return gallery.template_count(model.key) *
         static_cast<Index>(first.values.size() * sizeof(float));
}

IndexBlock read_index(const GalleryStore& gallery, const GalleryModel& model) {
  IndexBlock block{{}, model.recognizer->make_searcher()};
  block.people.reserve(static_cast<std::size_t>(gallery.template_count(model.key)));
  const Index limit = people_per_block(gallery, model);
  TemplateBlock templates;
  IdRange range;
  while (true) {
    templates = gallery.read_templates(model.key, range, limit, std::move(templates));
    if (templates.people.empty()) return block;
    if (block.people.empty()) {
      block.searcher->reserve(gallery.template_count(model.key),
                              template_of(templates.values_of(0)));
    }
    range.first = templates.people.back() + 1;
    add_templates(templates, block);
  }
}

IndexBlock block_of(const GalleryStore& gallery, const GalleryModel& model,
                    const std::vector<PersonId>& people) {
  IndexBlock block{{}, model.recognizer->make_searcher()};
  for (const PersonId person : people) {
    const std::optional<std::vector<float>> values = gallery.find_template(model.key, person);
    if (!values) continue;
    block.searcher->add(template_of(*values));
    block.people.push_back(person);
  }
  return block;
}

}  // namespace longshot
