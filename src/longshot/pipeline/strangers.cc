// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/strangers.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/image/shift.h"

namespace longshot {
namespace {

constexpr Index kMostRelitPeople = 300;
constexpr Index kProbes = 900;  // of all of them
constexpr Index kMostEach = 28;
// Chosen on Extended Yale B: relit faces that lie where they were enrolled pass for more alike than
// photos ever are.
constexpr double kDisplacement = 0.02;  // deviation, of width and height
constexpr double kSensorNoise = 0.02;   // deviation, of the mean intensity

// `each` of the lights that are neither flipped nor the photo's own, spread evenly.
std::vector<Index> lights_to_use(const std::vector<RelitLabel>& labels, Index each) {
  std::vector<Index> usable;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].flipped && !labels[i].original) usable.push_back(static_cast<Index>(i));
  }
  const auto available = static_cast<Index>(usable.size());
  const Index taken = std::min(each, available);
  std::vector<Index> chosen;
  for (Index k = 0; k < taken; ++k) {
    chosen.push_back(usable[static_cast<std::size_t>(k * available / taken)]);
  }
  return chosen;
}

// N_H x 1 -> N_L x each.
Matrix seen_from_afar(const GalleryModel& model, const Matrix& photo, Index each, Random random) {
  const Size high = model.model.geometry.high;
  Matrix relit =
      model.extender->relit(photo)(Eigen::all, lights_to_use(model.extender->labels(), each));
  for (auto face : relit.colwise()) {
    const double dx = kDisplacement * static_cast<double>(high.cols) * random.normal();
    const double dy = kDisplacement * static_cast<double>(high.rows) * random.normal();
    face = shift(face.reshaped(high.rows, high.cols), dx, dy).reshaped().eval();
  }
  Matrix low = model.extender->degrade(relit);
  const double level = std::hypot(kSensorNoise, model.model.geometry.noise);
  for (auto face : low.colwise()) {
    const double sigma = level * face.mean();
    for (double& value : face) value = std::max(0.0, value + sigma * random.normal());
  }
  return low;
}

}  // namespace

Matrix as_probes(const GalleryModel& model, const MatrixRef& photos) {
  const FaceGeometry& geometry = model.model.geometry;
  Matrix probes = model.extender->degrade(photos);
  if (geometry.noise == 0.0) return probes;
  parallel_for(photos.cols(), [&](Index i) {
    Random random(2, static_cast<std::uint64_t>(i));
    const auto within = [&](double deviation) { return deviation * random.normal(); };
    const Registration moved = {within(geometry.error.shift), within(geometry.error.shift),
                                within(geometry.error.log_scale), within(geometry.error.log_scale)};
    Vector probe = seen_by_camera(photos.col(i), geometry, geometry.op, moved);
    const double sigma = geometry.noise * probe.mean();
    for (double& value : probe) value = std::max(0.0, value + sigma * random.normal());
    probes.col(i) = probe;
  });
  return probes;
}

Strangers background_strangers(const GallerySearch& search, const Background& background) {
  Strangers strangers;
  strangers.probes = as_probes(search.model(), background.probes);
  strangers.background = background.owners;
  strangers.person.assign(background.owners.size(), 0);
  return strangers;
}

Strangers enrolled_strangers(const GallerySearch& search) {
  const GalleryModel& model = search.model();
  const std::vector<PersonId> people = some_people(search.gallery(), kMostRelitPeople);
  const auto count = static_cast<Index>(people.size());
  const Index each = std::clamp<Index>(kProbes / std::max<Index>(count, 1), 1, kMostEach);
  std::vector<Matrix> photos;
  for (const PersonId person : people) {
    photos.push_back(photos_of(search.gallery(), person, model.model.geometry.high).leftCols(1));
  }
  std::vector<Matrix> faces(people.size());
  parallel_for(count, [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    faces[at] =
        seen_from_afar(model, photos[at], each, Random(1, static_cast<std::uint64_t>(people[at])));
  });
  Index total = 0;
  for (const Matrix& part : faces) total += part.cols();
  Strangers strangers;
  strangers.probes.resize(model.model.geometry.low.pixels(), total);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const auto at = static_cast<Index>(strangers.person.size());
    strangers.probes.middleCols(at, faces[i].cols()) = faces[i];
    strangers.person.resize(static_cast<std::size_t>(at + faces[i].cols()), people[i]);
  }
  strangers.background.assign(strangers.person.size(), -1);
  return strangers;
}

}  // namespace longshot
