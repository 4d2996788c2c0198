// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/recognize/recognizer.h"

namespace longshot {

// One way in which a camera may have made a probe: sharper or softer than the operator that the
// gallery is brought down with, and more or less noisy.
struct Degradation {
  DegradeOperator op;
  double noise = 0.0;  // sensor noise in units of the mean intensity
  Index member = 0;    // of the recogniser's indexes that suits this noise

  bool operator==(const Degradation&) const = default;
};

// Those that are usually tried, the gallery's own operator first. Members are 0 for little noise,
// 1 for some and 2 for much. Of a camera that was learnt only more noise is still open.
std::vector<Degradation> usual_degradations(const FaceGeometry& geometry);

// Finds out from the pixels of a probe, or of many probes of one camera, how it was degraded, by
// the likelihood of a Student distribution over faces seen that way; people do not enter, so it
// costs the same for any gallery. A probe of another sharpness is turned into what the gallery's
// operator would have shown by the linear estimate of least squared error; so that all sharpnesses
// share an index.
class DegradationBank {
 public:
  DegradationBank() = default;
  static DegradationBank learn(const TrainingSet& training,
                               const std::vector<Degradation>& degradations);

  Index size() const { return static_cast<Index>(entries_.size()); }
  const Degradation& degradation(Index i) const {
    return entries_[static_cast<std::size_t>(i)].degradation;
  }
  // degradations x probes
  Matrix log_likelihoods(const MatrixRef& probes) const;
  std::vector<Index> choose_each(const MatrixRef& probes) const;
  Index choose_for_all(const MatrixRef& probes) const;
  // As the gallery's operator would have shown them.
  Matrix restored(const MatrixRef& probes, Index degradation) const;

  void save(ModelState& state) const;
  static DegradationBank load(const ModelState& state);

 private:
  struct Entry {
    Degradation degradation;
    Vector mean;      // N, of the probes at unit norm
    Matrix whitener;  // N x N: squared length of whitener (v - mean) is Mahalanobis
    double log_volume = 0.0;
    Matrix restoration;  // N x N, or empty for the gallery's own operator
  };
  std::vector<Entry> entries_;
  double doubt_ = 0.0;  // in nats, against all but the first
};

}  // namespace longshot
