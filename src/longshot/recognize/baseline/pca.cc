// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/pca.h"

#include <memory>
#include <vector>

#include "longshot/recognize/tune.h"

namespace longshot {
namespace {

std::vector<PcaNearestOptions> candidates(const PcaNearestOptions& base) {
  std::vector<PcaNearestOptions> list;
  for (const NearestMetric metric : {NearestMetric::kEuclidean, NearestMetric::kCosine}) {
    PcaNearestOptions candidate = base;
    candidate.tune = false;
    candidate.metric = metric;
    list.push_back(candidate);
  }
  return list;
}

}  // namespace

PcaNearest::PcaNearest(const PcaNearestOptions& options) : options_(options), settings_(options) {
  options_.check();
}

void PcaNearest::learn(const TrainingSet& training) {
  training.check();
  settings_ = tuned<PcaNearest>(training, options_, candidates);
  model_.probe = FeatureSpace::learn(training.photos_low(), settings_.feature);
  model_.gallery = model_.probe;
  model_.metric = settings_.metric;
  model_.images = settings_.extended ? GalleryImages::kRelitLow : GalleryImages::kPhotosLow;
}

}  // namespace longshot
