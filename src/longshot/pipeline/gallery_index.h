// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_model.h"

namespace longshot {

// The index of a gallery model: one template per person, kept in the gallery and extended with
// every enrolment. Templates do not depend on each other.

// A person and all photos of them, N_H x p.
struct PersonPhotos {
  PersonId person = 0;
  Matrix photos;
};

// All photos of a person, N_H x p. Throws Error where they do not have the size of the gallery.
Matrix photos_of(const GalleryStore& gallery, PersonId person, Size high);

// Makes the templates that are missing, in parallel, and commits every few hundred: what was made
// is kept if it is interrupted. Writes nothing if none is missing.
void complete_index(GalleryStore& gallery, const GalleryModel& model,
                    Progress& progress = no_progress());

// Makes or replaces the templates of these people in the index of the model, or of each of the
// models; belongs into the transaction that changes their photos.
void extend_index(GalleryStore& gallery, const GalleryModel& model,
                  const std::vector<PersonPhotos>& people);
void extend_indexes(GalleryStore& gallery, const std::vector<GalleryModel>& models,
                    const std::vector<PersonPhotos>& people);

// Removes one photo of that person, by its id, and makes the person's templates anew from the
// others; without others they are erased. Returns false if the person has no such photo. Throws
// Error if nobody has that name.
bool remove_photo(GalleryStore& gallery, const std::string& person, PhotoId photo);

// People of an index, laid out for searching.
struct IndexBlock {
  std::vector<PersonId> people;  // ascending, in the order of the searcher
  std::shared_ptr<const Searcher> searcher;
};

// Calls visit for blocks of people that cover the index, one at a time in memory; all people are
// one block for a method whose distances depend on each other. Hold a GallerySnapshot meanwhile.
void for_each_block(const GalleryStore& gallery, const GalleryModel& model,
                    const std::function<void(const IndexBlock&)>& visit);

// About as many bytes as the whole index takes in memory.
Index index_bytes(const GalleryStore& gallery, const GalleryModel& model);

// The whole index at once, read by all threads. Hold a GallerySnapshot meanwhile.
IndexBlock read_index(const GalleryStore& gallery, const GalleryModel& model);

// Those people alone, passing over those who are not in the index.
IndexBlock block_of(const GalleryStore& gallery, const GalleryModel& model,
                    const std::vector<PersonId>& people);

}  // namespace longshot
