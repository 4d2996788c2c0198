// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: people of known albedo on the mean face, rendered under several lights.

#include <memory>
#include <vector>

#include "longshot/core/random.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/relight/relight.h"
#include "longshot/relight/rendered_face.h"

namespace longshot::rendered_people {

inline constexpr Size kHigh = {24, 20};
inline constexpr Size kLow = {8, 7};

inline std::shared_ptr<const Extender> extender() {
  RelightModel model;
  model.normals = test_face_map(kHigh);
  RelightOptions options = paper_profile();
  options.lights = {{0, 0}, {40, 0}, {20, 30}};
  const FaceGeometry geometry{FaceFrame{}, kHigh, kLow, DegradeOperator{}};
  return std::make_shared<Extender>(std::make_shared<Relighter>(model, options), geometry);
}

// N_H x photos of one person; equal seeds are one person. Lights differ from photo to photo.
inline Matrix photos(std::uint64_t person, Index count, std::uint64_t shot = 0) {
  const NormalMap map = test_face_map(kHigh);
  Random skin(person, 1);
  Matrix blocks(6, 5);
  for (double& value : blocks.reshaped()) value = skin.uniform(0.3, 1.0);
  Vector albedo(kHigh.pixels());
  for (Index p = 0; p < kHigh.pixels(); ++p) {
    albedo(p) = blocks((p % kHigh.rows) / 4, (p / kHigh.rows) / 4);
  }
  Random light(person * 1000 + shot, 2);
  Matrix images(kHigh.pixels(), count);
  for (Index j = 0; j < count; ++j) {
    const LightDirection direction{light.uniform(-25, 25), light.uniform(-15, 20)};
    images.col(j) = render(map, albedo, 0.8 * unit_vector(direction), 0.4).reshaped();
  }
  return images;
}

// People first_person, first_person + 1, ... with so many photos each.
inline TrainingSet training(Index people = 10, Index per_person = 4, std::uint64_t first = 100) {
  TrainingSet set;
  set.extender = extender();
  set.photos_high.resize(kHigh.pixels(), people * per_person);
  for (Index i = 0; i < people; ++i) {
    set.photos_high.middleCols(i * per_person, per_person) =
        photos(first + static_cast<std::uint64_t>(i), per_person);
    set.subjects.insert(set.subjects.end(), static_cast<std::size_t>(per_person),
                        static_cast<int>(i));
  }
  return set;
}

}  // namespace longshot::rendered_people
