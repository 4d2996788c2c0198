// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: a few people whose albedo, shape and light are known.

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "longshot/camera/person_images.h"
#include "longshot/core/random.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {

// Between about 0.2 and 1, from a few random waves across the face.
inline Vector smooth_albedo(Size size, Random& random) {
  Vector albedo = Vector::Constant(size.pixels(), 0.6);
  for (int wave = 0; wave < 6; ++wave) {
    const double across = random.uniform(-2.5, 2.5);
    const double down = random.uniform(-2.5, 2.5);
    const double phase = random.uniform(0.0, 2.0 * std::numbers::pi);
    for (Index p = 0; p < size.pixels(); ++p) {
      const double v = static_cast<double>(p % size.rows) / static_cast<double>(size.rows);
      const double u = static_cast<double>(p / size.rows) / static_cast<double>(size.cols);
      albedo(p) += 0.07 * std::cos(2.0 * std::numbers::pi * (across * u + down * v) + phase);
    }
  }
  return albedo;
}

inline Vector lit_photo(const NormalMap& normals, const Vector& albedo, LightDirection light) {
  return render(normals, albedo, unit_vector(light), 0.1).reshaped();
}

// People to enrol with one photo each, probes of them under other lights, and other people to learn
// from: 24x20 photos, probes of 7x6.
struct SmallPeople {
  std::shared_ptr<const Relighter> relighter;
  std::shared_ptr<const Extender> extender;
  Matrix trained_high;               // N_H x 40: 10 people x 4 photos
  std::vector<int> subjects;         // 40: whom each of them shows
  std::vector<Index> gallery_like;   // 10: one photo of each of them, under the gallery's light
  std::vector<PersonImages> people;  // 6
  Matrix probes;                     // N_L x 18, not the enrolled photos
  std::vector<Index> truth;          // 18: index into people

  const FaceGeometry& geometry() const { return extender->geometry(); }
};

inline SmallPeople make_small_people() {
  constexpr Index kTrained = 10;
  constexpr Index kEnrolled = 6;
  const FaceGeometry geometry{FaceFrame(), {24, 20}, {7, 6}, DegradeOperator()};
  RelightModel model;
  model.normals = test_face_map(geometry.high);
  RelightOptions relighting;
  relighting.lights = {{0, 0}, {40, 0}, {-40, 0}, {0, 40}};
  relighting.keep_original = true;
  SmallPeople made;
  made.relighter = std::make_shared<Relighter>(model, relighting);
  made.extender = std::make_shared<Extender>(made.relighter, geometry);

  const std::vector<LightDirection> lights = {{0, 10}, {30, 10}, {-30, 10}, {15, 35}};
  const auto per_person = static_cast<Index>(lights.size());
  made.probes.resize(geometry.low.pixels(), 0);
  made.trained_high.resize(geometry.high.pixels(), kTrained * per_person);
  for (Index i = 0; i < kTrained + kEnrolled; ++i) {
    Random random(11, static_cast<std::uint64_t>(i));
    const Vector albedo = smooth_albedo(geometry.high, random);
    Matrix photos(geometry.high.pixels(), per_person);
    for (Index l = 0; l < per_person; ++l) {
      photos.col(l) = lit_photo(model.normals, albedo, lights[static_cast<std::size_t>(l)]);
    }
    if (i < kTrained) {
      made.trained_high.middleCols(i * per_person, per_person) = photos;
      made.gallery_like.push_back(i * per_person);
      made.subjects.insert(made.subjects.end(), lights.size(), static_cast<int>(i));
      continue;
    }
    made.people.push_back(made.extender->extend(photos.leftCols(1)));
    made.truth.insert(made.truth.end(), lights.size() - 1, i - kTrained);
    Matrix probes(geometry.low.pixels(), made.probes.cols() + per_person - 1);
    probes << made.probes, made.extender->degrade(photos.rightCols(per_person - 1));
    made.probes = std::move(probes);
  }
  return made;
}

// Made once: tests only read it.
inline const SmallPeople& small_people() {
  static const SmallPeople made = make_small_people();
  return made;
}

}  // namespace longshot
