// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/search/matches.h"
#include "longshot/search/tile.h"

namespace longshot {

// Probes laid out for the inner loops. Two coordinates follow those of the features y:
// 1 and -|y|^2 / 2, with which affine functions and squared distances are products of rows.
class ProbeTiles {
 public:
  explicit ProbeTiles(const MatrixRef& features);  // d x n

  Index probes() const { return probes_; }
  Index tiles() const { return (probes_ + kTileProbes - 1) / kTileProbes; }
  Index depth() const { return depth_; }  // d + 2
  // depth x kTileProbes; probes beyond the last one are zero.
  const float* tile(Index i) const { return &tiles_[at(i * kTileProbes * depth_)]; }
  // depth x kPanelRows, every coordinate four times.
  const float* spread(Index probe) const { return &spread_[at(probe * kPanelRows * depth_)]; }
  // Of the features; tiles() * kTileProbes numbers.
  const float* squared_norms() const { return squared_norms_.data(); }

  // Memory is only taken for spread probes if there are at most this many.
  static constexpr Index kFewProbes = 3;

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Index probes_;
  Index depth_;
  std::vector<float> tiles_;
  std::vector<float> spread_;
  std::vector<float> squared_norms_;
};

// People of one method in memory, ready to be compared with probes: quickly in single precision,
// to find out who comes into question, and in double precision, to decide.
class PersonScorer {
 public:
  virtual ~PersonScorer() = default;

  virtual Index people() const = 0;
  // Distances of people [first, last) to the probes of a tile: (last - first) x kTileProbes, row by
  // row. What stands at probes beyond the last one has no meaning. On entry `scores` holds limits:
  // whose distance is certainly not below theirs may be given any score that is not below it.
  virtual void score_tile(Index first, Index last, const ProbeTiles& probes, Index tile,
                          float* scores) const = 0;
  // Of people [first, last) to one of few probes (ProbeTiles::kFewProbes), with limits as above.
  virtual void score_probe(Index first, Index last, const ProbeTiles& probes, Index probe,
                           float* scores) const = 0;
  // Of one person to probes (d x n); without meaning where the features are all zero.
  virtual Vector distances(Index person, const MatrixRef& features) const = 0;
  // Of everybody to a probe without content, whose features are all zero.
  virtual double far() const = 0;
};

// people x probes
Matrix all_distances(const PersonScorer& scorer, const MatrixRef& features);  // d x n

// The `top` nearest people of each probe: exactly those, in exactly that order, of all_distances(),
// but found in single precision, with memory that does not grow with people times probes. Single
// precision only proposes: a few more people than asked for, whose distances are then computed in
// double precision. If the errors that this shows do not rule out everybody else, the probe is
// compared with all people in double precision. The result does not depend on the thread count.
Matches search_people(const PersonScorer& scorer, const MatrixRef& features, Index top);

}  // namespace longshot
