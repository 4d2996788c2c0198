// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: faces as a caller has them, as bytes in memory.

#include <cstdint>
#include <vector>

#include "longshot/door.h"
#include "longshot/pipeline/training_faces.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {

inline v0::Picture crop_of(const Image& face) {
  const std::vector<std::uint8_t> pixels = grey_levels(face.transpose().reshaped());
  return v0::Picture::crop(pixels.data(), {face.rows(), face.cols()});
}

// Enrols the first so many synthetic people of seed 3, as "person_0" and so on.
inline void enroll_crops(v0::Gallery& gallery, int people) {
  std::vector<v0::Picture> photos;
  for (int i = 0; i < people; ++i) {
    photos.push_back(crop_of(take_photo(make_person(3, i), {}, 0).image));
    photos.back().person = fmt::format("person_{}", i);
  }
  v0::EnrollOptions force;
  force.force = true;
  gallery.enroll(photos, force);
}

}  // namespace longshot
