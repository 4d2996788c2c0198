// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"

namespace longshot {

enum class NearestMetric {
  kEuclidean,  // squared distance, >= 0
  kCosine,     // 1 - cosine, in [0, 2]
};

// Which images of a person are enrolled.
enum class GalleryImages { kPhotosLow, kRelitLow, kPhotosHigh, kRelitHigh };

// What a nearest-neighbour method has learnt: a map into a common space from the probes'
// resolution, and one from the gallery's.
struct NearestModel {
  FeatureSpace probe;    // N_L -> d
  FeatureSpace gallery;  // N_L or N_H -> d
  NearestMetric metric = NearestMetric::kEuclidean;
  GalleryImages images = GalleryImages::kPhotosLow;
};

// The distance to a person is that to the nearest of their samples (d x m).
std::unique_ptr<Searcher> make_nearest_searcher(const FeatureSpace& probe, NearestMetric metric);

// A method that differs from the others only in how it learns the maps.
class NearestRecognizer : public Recognizer {
 public:
  Template enrol(const PersonImages& person) const override;  // parts: samples d x m
  std::unique_ptr<Searcher> make_searcher() const override;
  ModelState state() const override;
  void restore(const ModelState& state) override;

  const NearestModel& model() const { return model_; }

 protected:
  NearestModel model_;
};

// Throws Error, naming the method, unless the training set is valid and shows two people or more.
void check_has_people(const TrainingSet& training, std::string_view method);

}  // namespace longshot
