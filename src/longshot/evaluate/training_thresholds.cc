// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/training_thresholds.h"

#include <algorithm>
#include <map>
#include <vector>

#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/evaluate/open_set.h"
#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

constexpr Index kGalleries = 6;  // choices of the enrolled photos

// The enrolled photo of everyone in one gallery: photos that look like gallery photos if there are
// any, each in turn.
Index gallery_photo(const std::vector<Index>& photos, const std::vector<Index>& gallery_like,
                    Index gallery) {
  std::vector<Index> candidates;
  for (const Index photo : photos) {
    if (std::find(gallery_like.begin(), gallery_like.end(), photo) != gallery_like.end()) {
      candidates.push_back(photo);
    }
  }
  if (candidates.empty()) candidates = photos;
  return candidates[static_cast<std::size_t>(gallery) % candidates.size()];
}

// Distances of one person's probes to some of the others (rows of `distances`).
void append_statistics(const Matrix& distances, Index person, Index people, Random& random,
                       std::vector<double>& statistics) {
  std::vector<Index> others = random.permutation(distances.rows());
  std::erase(others, person);
  if (static_cast<Index>(others.size()) > people) others.resize(static_cast<std::size_t>(people));
  const Matrix rest = distances(others, Eigen::all);
  const double zero = ratio_zero(rest);
  for (Index j = 0; j < rest.cols(); ++j) {
    statistics.push_back(open_set_statistic(rest.col(j), {OpenSetStatistic::kRatio, zero}));
  }
}

}  // namespace

Vector training_impostors(const std::string& method, const MethodOptions& options,
                          const TrainingSet& training, Index people, std::uint64_t seed) {
  std::map<int, std::vector<Index>> photos;
  for (Index i = 0; i < training.size(); ++i) {
    photos[training.subjects[static_cast<std::size_t>(i)]].push_back(i);
  }
  std::vector<double> statistics;
  Random random(seed);
  for (const std::size_t half : {0u, 1u}) {
    std::vector<const std::vector<Index>*> tested;
    std::vector<Index> learnt;
    std::size_t number = 0;
    for (const auto& [subject, own] : photos) {
      if (number++ % 2 == half) {
        tested.push_back(&own);
      } else {
        learnt.insert(learnt.end(), own.begin(), own.end());
      }
    }
    if (tested.size() < 3 || learnt.empty()) return {};
    const std::unique_ptr<Recognizer> recognizer = make_recognizer(method, options);
    if (!recognizer->has_independent_distances()) return {};
    recognizer->learn(part_of(training, learnt));
    for (Index gallery = 0; gallery < kGalleries; ++gallery) {
      std::vector<Template> templates(tested.size());
      parallel_for(static_cast<Index>(tested.size()), [&](Index i) {
        const auto& own = *tested[static_cast<std::size_t>(i)];
        const Index photo = gallery_photo(own, training.gallery_like, gallery);
        templates[static_cast<std::size_t>(i)] =
            recognizer->enrol(training.extender->extend(training.photos_high.col(photo)));
      });
      const std::unique_ptr<Searcher> searcher = recognizer->make_searcher();
      for (const Template& person : templates) searcher->add(person);
      for (std::size_t i = 0; i < tested.size(); ++i) {
        const Matrix probes =
            training.extender->degrade(training.photos_high(Eigen::all, *tested[i]));
        append_statistics(searcher->distances(probes), static_cast<Index>(i), people, random,
                          statistics);
      }
    }
  }
  return Eigen::Map<const Vector>(statistics.data(), static_cast<Index>(statistics.size()));
}

}  // namespace longshot
