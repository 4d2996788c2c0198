// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/probe_tracks.h"

#include <algorithm>
#include <cassert>

namespace longshot {
namespace {

struct WeightSums {
  Vector sum;
  Vector squares;
};

WeightSums weight_sums(const ProbeTracks& tracks) {
  WeightSums sums{Vector::Zero(tracks.count), Vector::Zero(tracks.count)};
  for (Index j = 0; j < tracks.weight.size(); ++j) {
    const Index track = tracks.track[static_cast<std::size_t>(j)];
    sums.sum(track) += tracks.weight(j);
    sums.squares(track) += tracks.weight(j) * tracks.weight(j);
  }
  return sums;
}

}  // namespace

Matrix track_means(const MatrixRef& values, const ProbeTracks& tracks) {
  assert(values.cols() == tracks.weight.size());
  Matrix means = Matrix::Zero(values.rows(), tracks.count);
  for (Index j = 0; j < values.cols(); ++j) {
    means.col(tracks.track[static_cast<std::size_t>(j)]) += tracks.weight(j) * values.col(j);
  }
  return means * weight_sums(tracks).sum.cwiseInverse().asDiagonal();
}

// With columns z_j of zero mean and unit norm, |sum w_j z_j|^2 = sum w_j^2 + the other products.
Vector track_likeness(const MatrixRef& values, const ProbeTracks& tracks) {
  Matrix sums = Matrix::Zero(values.rows(), tracks.count);
  for (Index j = 0; j < values.cols(); ++j) {
    const Vector centred = values.col(j).array() - values.col(j).mean();
    const double scale = tracks.weight(j) / std::max(centred.norm(), 1e-12);
    sums.col(tracks.track[static_cast<std::size_t>(j)]) += scale * centred;
  }
  const WeightSums weights = weight_sums(tracks);
  Vector likeness(tracks.count);
  for (Index t = 0; t < tracks.count; ++t) {
    const double others = weights.sum(t) * weights.sum(t) - weights.squares(t);
    likeness(t) = others < 1e-9 * weights.squares(t)
                      ? 1.0
                      : (sums.col(t).squaredNorm() - weights.squares(t)) / others;
  }
  return likeness;
}

Vector equal_frames(const ProbeTracks& tracks) {
  const WeightSums weights = weight_sums(tracks);
  return weights.sum.array().square() / weights.squares.array();
}

}  // namespace longshot
