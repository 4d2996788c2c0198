// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/fused_scorer.h"

#include <cassert>
#include <utility>

namespace longshot {
namespace {

Matrix stacked(const MatrixRef& features, const std::vector<FusedScorer::Part>& parts) {
  Index rows = features.rows();
  for (const FusedScorer::Part& part : parts) rows += part.probes.rows();
  Matrix all(rows, features.cols());
  all.topRows(features.rows()) = features;
  Index at = features.rows();
  for (const FusedScorer::Part& part : parts) {
    assert(part.probes.cols() == features.cols());
    all.middleRows(at, part.probes.rows()) = part.probes;
    at += part.probes.rows();
  }
  return all;
}

// exp(-sum_i w_i r_i) of people and probes. It takes little, so it comes first: then the limits of
// the pixels' distances are known, and most people are ruled out by a part of these.
class Factors {
 public:
  template <typename AddSums>
  Factors(Index people, Index probes, const AddSums& add_sums)
      : values_(static_cast<std::size_t>(people * probes), 0.0F) {
    add_sums(values_.data());
    tile_kernels().exponentials(values_.data(), std::ssize(values_));
  }
  void divide(float* scores) const {
    for (std::size_t i = 0; i < values_.size(); ++i) scores[i] /= values_[i];
  }
  void multiply(float* scores) const {
    for (std::size_t i = 0; i < values_.size(); ++i) scores[i] *= values_[i];
  }

 private:
  std::vector<float> values_;
};

}  // namespace

FusedScorer::FusedScorer(const PersonScorer& pixels, const MatrixRef& features,
                         std::vector<Part> parts)
    : pixels_(pixels),
      parts_(std::move(parts)),
      features_(stacked(features, parts_)),
      tiles_(features) {
  for (const Part& part : parts_) probes_.emplace_back(*part.people, part.probes, -part.weight);
}

void FusedScorer::score_tile(Index first, Index last, const ProbeTiles&, Index tile,
                             float* scores) const {
  const Factors factors(last - first, kTileProbes, [&](float* sums) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      parts_[k].people->add_tile(first, last, probes_[k], tile, sums);
    }
  });
  factors.divide(scores);
  pixels_.score_tile(first, last, tiles_, tile, scores);
  factors.multiply(scores);
}

void FusedScorer::score_probe(Index first, Index last, const ProbeTiles&, Index probe,
                              float* scores) const {
  const Factors factors(last - first, 1, [&](float* sums) {
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      parts_[k].people->add_probe(first, last, probes_[k], probe, sums);
    }
  });
  factors.divide(scores);
  pixels_.score_probe(first, last, tiles_, probe, scores);
  factors.multiply(scores);
}

Vector FusedScorer::distances(Index person, const MatrixRef& features) const {
  Index at = features.rows();
  for (const Part& part : parts_) at -= part.probes.rows();
  const Vector pixels = pixels_.distances(person, features.topRows(at));
  Vector sum = Vector::Zero(features.cols());
  for (const Part& part : parts_) {
    const Index rows = part.probes.rows();
    sum += part.weight *
           part.people->log_ratios(features.middleRows(at, rows), person, person + 1).transpose();
    at += rows;
  }
  return pixels.array() * (-sum).array().exp();
}

}  // namespace longshot
