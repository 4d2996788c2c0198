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

PcaNearest::PcaNearest(const PcaNearestOptions& options) : options_(options) {
  options_.check();
}

void PcaNearest::learn(const TrainingSet& training) {
  training.check();
  if (options_.tune && !training.empty()) {
    const std::vector<PcaNearestOptions> list = candidates(options_);
    const TuneResult tuned = tune(training, static_cast<Index>(list.size()), [&](Index i) {
      return std::make_unique<PcaNearest>(list[static_cast<std::size_t>(i)]);
    });
    options_ = list[static_cast<std::size_t>(tuned.best)];
  }
  model_.probe = FeatureSpace::learn(training.photos_low(), options_.feature);
  model_.gallery = model_.probe;
  model_.metric = options_.metric;
  model_.images = options_.extended ? GalleryImages::kRelitLow : GalleryImages::kPhotosLow;
}

}  // namespace longshot
