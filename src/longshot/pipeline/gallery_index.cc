// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_index.h"

#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/pipeline/template_values.h"

namespace longshot {
namespace {

constexpr Index kPeoplePerTransaction = 500;
constexpr Index kPeoplePerBlock = 2000;  // in memory while searching

// Reads with the caller's thread, computes with all: a gallery serves one thread at a time.
void make_templates(Gallery& gallery, const GalleryModel& model,
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
  std::vector<Template> people(templates.people.size());
  parallel_for(templates.size(), [&](Index i) {
    people[static_cast<std::size_t>(i)] = template_of(templates.values_of(i));
  });
  for (const Template& person : people) block.searcher->add(person);
  block.people.insert(block.people.end(), templates.people.begin(), templates.people.end());
}

}  // namespace

Matrix photos_of(const Gallery& gallery, PersonId person, Size high) {
  const std::vector<Photo> photos = gallery.photos(person);
  Matrix faces(high.pixels(), static_cast<Index>(photos.size()));
  for (std::size_t i = 0; i < photos.size(); ++i) {
    if (photos[i].rows != high.rows || photos[i].cols != high.cols) {
      throw Error("The gallery is damaged: a photo is {}, not {}.",
                  to_string(Size{photos[i].rows, photos[i].cols}), to_string(high));
    }
    faces.col(static_cast<Index>(i)) = face_of(photos[i]);
  }
  return faces;
}

void complete_index(Gallery& gallery, const GalleryModel& model, Progress& progress) {
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

void extend_indexes(Gallery& gallery, const std::vector<GalleryModel>& models,
                    const std::vector<PersonId>& people) {
  for (const GalleryModel& model : models) make_templates(gallery, model, people);
}

void for_each_block(const Gallery& gallery, const GalleryModel& model,
                    const std::function<void(const IndexBlock&)>& visit) {
  const bool independent = model.recognizer->has_independent_distances();
  TemplateBlock templates;
  IdRange range;
  IndexBlock block{{}, model.recognizer->make_searcher()};
  while (true) {
    templates = gallery.read_templates(model.key, range, kPeoplePerBlock, std::move(templates));
    if (templates.people.empty()) break;
    range.first = templates.people.back() + 1;
    add_templates(templates, block);
    if (!independent) continue;
    visit(block);
    block = {{}, model.recognizer->make_searcher()};
  }
  if (!block.people.empty()) visit(block);
}

IndexBlock block_of(const Gallery& gallery, const GalleryModel& model,
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
