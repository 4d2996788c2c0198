// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/fused_scorer.h"

#include <algorithm>
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

}  // namespace

FusedScorer::FusedScorer(const PersonScorer& pixels, const MatrixRef& features,
                         std::vector<Part> parts)
    : pixels_(pixels),
      parts_(std::move(parts)),
      features_(stacked(features, parts_)),
      tiles_(features) {}

MatrixF FusedScorer::factors(Index first, Index last, Index probe, Index count) const {
  MatrixF sum = MatrixF::Zero(last - first, count);
  for (const Part& part : parts_) {
    sum += static_cast<float>(part.weight) *
           part.people->log_ratios_quickly(part.probes.middleCols(probe, count), first, last);
  }
  return (-sum).array().exp();
}

void FusedScorer::score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                             float* out) const {
  pixels_.score_tile(first, last, tiles_, tile, out);
  const Index begin = tile * kTileProbes;
  const Index count = std::min(kTileProbes, probes.probes() - begin);
  const MatrixF factor = factors(first, last, begin, count);
  for (Index i = 0; i < last - first; ++i) {
    for (Index j = 0; j < count; ++j) out[i * kTileProbes + j] *= factor(i, j);
  }
}

void FusedScorer::score_probe(Index first, Index last, const ProbeTiles&, Index probe,
                              float* out) const {
  pixels_.score_probe(first, last, tiles_, probe, out);
  Eigen::Map<Eigen::ArrayXf>(out, last - first) *= factors(first, last, probe, 1).array().col(0);
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
