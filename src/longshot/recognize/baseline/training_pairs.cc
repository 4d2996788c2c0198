// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/training_pairs.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// At most `wanted` of [0, count), evenly spread.
std::vector<Index> spread(Index count, Index wanted) {
  const Index kept = std::min(count, wanted);
  std::vector<Index> chosen;
  for (Index i = 0; i < kept; ++i) chosen.push_back(i * count / kept);
  return chosen;
}

// Makes the features have mean 0, and the space produce such features.
void centre(FeatureSpace& space, Matrix& features) {
  const Vector mean = features.rowwise().mean();
  features.colwise() -= mean;
  space = FeatureSpace(space.normalisation(), space.mean() + space.basis() * mean, space.basis());
}

void append_relit(const TrainingSet& training, Index max_pairs, TrainingPairs& pairs) {
  const Index per_photo = training.extender->images_per_photo();
  const std::vector<Index> photos =
      spread(training.size(), std::max<Index>(1, max_pairs / per_photo));
  const Index first = pairs.size();
  const Index count = first + static_cast<Index>(photos.size()) * per_photo;
  pairs.low.conservativeResize(Eigen::NoChange, count);
  pairs.high.conservativeResize(Eigen::NoChange, count);
  // Photo by photo, as all relit images at the high resolution would be many.
  parallel_for(static_cast<Index>(photos.size()), [&](Index i) {
    const Index photo = photos[static_cast<std::size_t>(i)];
    const Matrix relit = training.extender->relit(training.photos_high.col(photo));
    pairs.high.middleCols(first + i * per_photo, per_photo) = pairs.high_space.features(relit);
    pairs.low.middleCols(first + i * per_photo, per_photo) =
        pairs.low_space.features(training.extender->degrade(relit));
  });
  for (const Index photo : photos) {
    pairs.subjects.insert(pairs.subjects.end(), static_cast<std::size_t>(per_photo),
                          training.subjects[static_cast<std::size_t>(photo)]);
  }
}

}  // namespace

void TrainingPairOptions::check() const {
  if (max_pairs < 2) throw Error("max_pairs must be at least 2, not {}.", max_pairs);
  low.check();
  high.check();
}

TrainingPairs make_training_pairs(const TrainingSet& training, const TrainingPairOptions& options) {
  options.check();
  const Matrix low = training.photos_low();
  TrainingPairs pairs;
  pairs.low_space = FeatureSpace::learn(low, options.low);
  pairs.high_space = FeatureSpace::learn(training.photos_high, options.high);
  const std::vector<Index> photos = spread(training.size(), options.max_pairs);
  pairs.low = pairs.low_space.features(low(Eigen::all, photos));
  pairs.high = pairs.high_space.features(training.photos_high(Eigen::all, photos));
  for (const Index photo : photos) {
    pairs.subjects.push_back(training.subjects[static_cast<std::size_t>(photo)]);
  }
  if (options.relit) append_relit(training, options.max_pairs, pairs);
  centre(pairs.low_space, pairs.low);
  centre(pairs.high_space, pairs.high);
  return pairs;
}

NearestModel coupled_model(const TrainingPairs& pairs, const MatrixRef& low_map,
                           const MatrixRef& high_map) {
  const double energy = (low_map.transpose() * pairs.low).colwise().squaredNorm().mean();
  if (!(energy > 0.0)) throw Error("The training people do not tell how to map faces.");
  const double scale = 1.0 / std::sqrt(energy);
  const FeatureSpace& low = pairs.low_space;
  const FeatureSpace& high = pairs.high_space;
  NearestModel model;
  model.probe = {low.normalisation(), low.mean(), low.basis() * low_map * scale};
  model.gallery = {high.normalisation(), high.mean(), high.basis() * high_map * scale};
  return model;
}

}  // namespace longshot
