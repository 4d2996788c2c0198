// SPDX-License-Identifier: Apache-2.0
#include "longshot/speed/trial_gallery.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/gallery/content_hash.h"
#include "longshot/pipeline/gallery_setup.h"

namespace longshot {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "longshot-bench-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    throw Error("A folder cannot be made in {}.", fs::temp_directory_path().string());
  }
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<PersonPhotos> store_people(GalleryStore& gallery, const Matrix& photos, Index first) {
  const Size size = setup_of(gallery).high;
  std::vector<Photo> made(static_cast<std::size_t>(photos.cols()));
  parallel_for(photos.cols(), [&](Index i) {
    Photo photo = photo_of(Image(photos.col(i).reshaped(size.rows, size.cols)));
    photo.content_hash =
        content_hash({reinterpret_cast<const char*>(photo.pixels.data()), photo.pixels.size()});
    made[static_cast<std::size_t>(i)] = std::move(photo);
  });
  std::vector<PersonPhotos> people;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const PersonId person =
        gallery.add_person(fmt::format("person {}", first + static_cast<Index>(i)));
    gallery.add_photo(person, made[i]);
    people.push_back({person, face_of(made[i])});
  }
  return people;
}

}  // namespace longshot
