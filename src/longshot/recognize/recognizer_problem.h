// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: a small problem with people whose albedo, shape and light are known.

#include <cmath>
#include <cstdint>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "longshot/core/random.h"
#include "longshot/recognize/recognizer.h"
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
struct RecognizerProblem {
  std::shared_ptr<const Relighter> relighter;
  std::shared_ptr<const Extender> extender;
  TrainingSet training;              // 10 people x 4 photos
  std::vector<PersonImages> people;  // 6
  Matrix probes;                     // N_L x 18, not the enrolled photos
  std::vector<Index> truth;          // 18: index into people

  const FaceGeometry& geometry() const { return extender->geometry(); }
};

inline RecognizerProblem make_recognizer_problem() {
  constexpr Index kTrained = 10;
  constexpr Index kEnrolled = 6;
  const FaceGeometry geometry{FaceFrame(), {24, 20}, {7, 6}, DegradeOperator()};
  RelightModel model;
  model.normals = test_face_map(geometry.high);
  RelightOptions relighting;
  relighting.lights = {{0, 0}, {40, 0}, {-40, 0}, {0, 40}};
  relighting.keep_original = true;
  RecognizerProblem problem;
  problem.relighter = std::make_shared<Relighter>(model, relighting);
  problem.extender = std::make_shared<Extender>(problem.relighter, geometry);

  const std::vector<LightDirection> lights = {{0, 10}, {30, 10}, {-30, 10}, {15, 35}};
  const auto per_person = static_cast<Index>(lights.size());
  problem.training.extender = problem.extender;
  problem.probes.resize(geometry.low.pixels(), 0);
  problem.training.photos_high.resize(geometry.high.pixels(), kTrained * per_person);
  for (Index i = 0; i < kTrained + kEnrolled; ++i) {
    Random random(11, static_cast<std::uint64_t>(i));
    const Vector albedo = smooth_albedo(geometry.high, random);
    Matrix photos(geometry.high.pixels(), per_person);
    for (Index l = 0; l < per_person; ++l) {
      photos.col(l) = lit_photo(model.normals, albedo, lights[static_cast<std::size_t>(l)]);
    }
    if (i < kTrained) {
      problem.training.photos_high.middleCols(i * per_person, per_person) = photos;
      problem.training.gallery_like.push_back(i * per_person);
      problem.training.subjects.insert(problem.training.subjects.end(), lights.size(),
                                       static_cast<int>(i));
      continue;
    }
    problem.people.push_back(problem.extender->extend(photos.leftCols(1)));
    problem.truth.insert(problem.truth.end(), lights.size() - 1, i - kTrained);
    Matrix probes(geometry.low.pixels(), problem.probes.cols() + per_person - 1);
    probes << problem.probes, problem.extender->degrade(photos.rightCols(per_person - 1));
    problem.probes = std::move(probes);
  }
  return problem;
}

// Made once: tests only read it.
inline const RecognizerProblem& recognizer_problem() {
  static const RecognizerProblem problem = make_recognizer_problem();
  return problem;
}

inline std::unique_ptr<Searcher> enrol_all(const Recognizer& recognizer,
                                           const std::vector<PersonImages>& people) {
  std::unique_ptr<Searcher> searcher = recognizer.make_searcher();
  for (const PersonImages& person : people) searcher->add(recognizer.enrol(person));
  return searcher;
}

inline Matrix all_distances(const Recognizer& recognizer, const std::vector<PersonImages>& people,
                            const Matrix& probes) {
  return enrol_all(recognizer, people)->distances(probes);
}

// Percent of the probes whose own person is strictly nearest.
inline double rank_one_percent(const Matrix& distances, const std::vector<Index>& truth) {
  Index correct = 0;
  for (Index j = 0; j < distances.cols(); ++j) {
    const double own = distances(truth[static_cast<std::size_t>(j)], j);
    if ((distances.col(j).array() <= own).count() == 1) ++correct;
  }
  return 100.0 * static_cast<double>(correct) / static_cast<double>(distances.cols());
}

}  // namespace longshot
