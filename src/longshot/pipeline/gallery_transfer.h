// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "longshot/core/progress.h"
#include "longshot/dataset/dataset.h"
#include "longshot/gallery/gallery_store.h"

namespace longshot {

struct TransferReport {
  Index people = 0;  // of an import: new ones
  Index photos = 0;
  std::vector<Rejection> rejections;  // photos and people that stayed behind
};

// The aligned faces as PNG, a manifest.csv with their names, and a dataset.json: a folder that
// every command reads. It is made beside and renamed. Throws Error if there is something of that
// name.
TransferReport export_photos(const GalleryStore& gallery, const std::filesystem::path& folder,
                             Progress& progress = no_progress());

// A gallery without photos, which answers as this one does with the indexes that it has. Throws
// Error if it has no complete one, or there is something of that name.
TransferReport export_templates(const GalleryStore& gallery, const std::filesystem::path& file,
                                Progress& progress = no_progress());

// Adds all people of another gallery, or of an exported folder, in one transaction. Faces come as
// they are, past the quality gate. One with templates only goes into a new gallery, or into one
// that has the same models.
TransferReport import_people(GalleryStore& gallery, const std::filesystem::path& from,
                             Progress& progress = no_progress());
// Whether such a path is a gallery, and not a folder.
bool is_gallery_source(const std::filesystem::path& path);
// One that is not encrypted, or has that key.
GalleryStore open_source(const std::filesystem::path& path, const GalleryKey::Shared& key,
                         GalleryStore::Access access);

}  // namespace longshot
