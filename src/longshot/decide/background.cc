// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/background.h"

#include <algorithm>
#include <map>

#include "longshot/core/privacy.h"
#include "longshot/synthetic/synthetic_photo.h"

namespace longshot {
namespace {

constexpr Index kSyntheticPeople = 60;
constexpr Index kSyntheticProbes = 10;        // of each
constexpr std::uint64_t kPopulation = 77777;  // apart from those that demo and synth make
constexpr Index kMostTrainingPeople = 200;
constexpr Index kMostTrainingProbes = 1000;

using PhotosByPerson = std::map<int, std::vector<Index>>;

Background of_training(const MatrixRef& all, const PhotosByPerson& photos) {
  const auto people = std::min(kMostTrainingPeople, static_cast<Index>(photos.size()));
  const Index most_each = std::max<Index>(1, kMostTrainingProbes / people);
  std::vector<Index> first;
  std::vector<Index> others;
  Background background;
  background.real = true;
  for (const auto& [subject, samples] : photos) {
    if (static_cast<Index>(first.size()) == people) break;
    const auto rest = static_cast<Index>(samples.size()) - 1;
    const Index taken = std::min(most_each, rest);
    for (Index k = 0; k < taken; ++k) {
      others.push_back(samples[static_cast<std::size_t>(1 + k * rest / taken)]);
      background.owners.push_back(static_cast<Index>(first.size()));
    }
    first.push_back(samples.front());
  }
  background.enrolled = all(Eigen::all, first);
  background.probes = all(Eigen::all, others);
  return background;
}

Background of_synthetic(const FaceFrame& frame, Size high, BackgroundParts parts) {
  SyntheticPhotoOptions options;
  options.size = high;
  options.frame = frame;
  options.lighting = frontal_lighting();
  Background background;
  background.enrolled = take_photos(kPopulation, 0, kSyntheticPeople, options, 0);
  if (parts == BackgroundParts::kPeople) return background;
  options.lighting.reset();
  background.probes.resize(high.pixels(), kSyntheticPeople * kSyntheticProbes);
  for (Index k = 0; k < kSyntheticProbes; ++k) {
    background.probes.middleCols(k * kSyntheticPeople, kSyntheticPeople) =
        take_photos(kPopulation, 0, kSyntheticPeople, options, static_cast<std::uint64_t>(k + 1));
    for (Index i = 0; i < kSyntheticPeople; ++i) background.owners.push_back(i);
  }
  return background;
}

}  // namespace

Background make_background(const FaceFrame& frame, Size high, const MatrixRef& photos,
                           std::span<const int> subjects, BackgroundParts parts) {
  PhotosByPerson by_person;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    by_person[subjects[i]].push_back(static_cast<Index>(i));
  }
  const auto people = static_cast<Index>(by_person.size());
  if (people >= kFewestPeople && photos.cols() - people >= kFewestPeople) {
    return of_training(photos, by_person);
  }
  return of_synthetic(frame, high, parts);
}

}  // namespace longshot
