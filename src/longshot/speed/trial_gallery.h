// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/gallery/gallery_store.h"
#include "longshot/pipeline/gallery_index.h"

namespace longshot {

// A new folder that goes with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();  // throws Error where it cannot be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Adds one person for each photo (pixels x n, of the gallery's size): "person N", from number
// `first` on.
std::vector<PersonPhotos> store_people(GalleryStore& gallery, const Matrix& photos, Index first);

}  // namespace longshot
