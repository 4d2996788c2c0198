// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/baseline/nearest.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

struct TrainingPairOptions {
  bool relit = false;      // the relit images of the photos join as further pairs
  Index max_pairs = 4000;  // >= 2; of more photos or relit images, so many evenly spread ones
  FeatureOptions low = {Normalisation::kUnitNorm, {0, 0.9999}};
  FeatureOptions high = {Normalisation::kUnitNorm, {150, 0.999}};

  void check() const;
};

// Features of the training images at both resolutions, for methods that couple the two.
struct TrainingPairs {
  FeatureSpace low_space;     // PCA of the photos, centred on the pairs
  FeatureSpace high_space;    // likewise
  Matrix low;                 // d_L x n, each row has mean 0
  Matrix high;                // d_H x n, each row has mean 0
  std::vector<int> subjects;  // n

  Index size() const { return low.cols(); }
};

TrainingPairs make_training_pairs(const TrainingSet& training, const TrainingPairOptions& options);

// Nearest neighbours after mapping the features of both resolutions into one space. The common
// scale is fixed so that a training probe has a mean squared norm of 1.
NearestModel coupled_model(const TrainingPairs& pairs,
                           const MatrixRef& low_map,    // d_L x d
                           const MatrixRef& high_map);  // d_H x d

// Keeps what candidates of one tuning make of the same photos. Threads that ask at the same time
// may make it twice: waiting inside a parallel loop could wait for itself.
template <typename T>
class TrainingMemo {
 public:
  // `variant` tells apart what is made of the same photos in different ways.
  std::shared_ptr<const T> get(const TrainingSet& training, Index variant,
                               const std::function<T()>& make) {
    if (std::shared_ptr<const T> known = find(training, variant)) return known;
    auto made = std::make_shared<const T>(make());
    const std::lock_guard<std::mutex> lock(mutex_);
    entries_.push_back({training.photos_high, variant, made});
    return made;
  }

 private:
  struct Entry {
    Matrix photos_high;
    Index variant = 0;
    std::shared_ptr<const T> value;
  };

  std::shared_ptr<const T> find(const TrainingSet& training, Index variant) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.variant == variant && entry.photos_high.cols() == training.size() &&
          entry.photos_high == training.photos_high) {
        return entry.value;
      }
    }
    return nullptr;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace longshot
