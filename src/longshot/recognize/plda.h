// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/search/matrix_view.h"
#include "longshot/search/person_rows.h"
#include "longshot/search/tile.h"

namespace longshot {

// Probabilistic linear discriminant analysis with two covariances (Ioffe, ECCV 2006; Sizov et al.,
// 2014), in coordinates in which both are diagonal: an image is y = h + e, where h ~ N(0, diag(b))
// is the same in all images of a person and e ~ N(0, I) is another in each.

// What is known of a person after n images, as coefficients of log p(y | person) - log p(y), which
// is linear in y, y^2 and 1: 2 d + 1 numbers. By n images of mean m, h is normal with the variances
// v = b / (1 + n b) and the mean n v m, exactly. `between` is b (d, none negative), `images` d x n.
// Throws Error without images and on sizes that do not agree.
Vector plda_person(const Vector& between, const MatrixRef& images);

// Probes laid out for PldaPeople, with the weight that their log-likelihood ratios have.
class PldaProbes;

// People to be compared with probes; they are kept in single precision. Copies share them. The
// coefficients of y^2 depend on the number of images alone, so each such row is kept once.
class PldaPeople {
 public:
  explicit PldaPeople(Index dimensions) : dimensions_(dimensions) {}

  // As plda_person() gives it; throws Error if it is of another model.
  void add(const MatrixRef& person);
  // People [first, last) make way for others, each of length() numbers.
  void replace(Index first, Index last, std::span<const MatrixView> others);
  Index length() const { return 2 * dimensions_ + 1; }
  Index people() const { return rows_.people(); }
  Index bytes() const { return rows_.bytes(); }
  // people x probes (d x n): log p(y | person) - log p(y). Positive: rather this person than
  // anybody. A probe whose coordinates are all 0 says nothing: its ratios are 0. Of people
  // [first, last), or of all.
  Matrix log_ratios(const MatrixRef& probes, Index first, Index last) const;
  Matrix log_ratios(const MatrixRef& probes) const { return log_ratios(probes, 0, people()); }
  // The same in single precision, on one thread, times the weight of the probes, added to sums: of
  // a tile, (last - first) x kTileProbes row by row, or of one of few probes.
  void add_tile(Index first, Index last, const PldaProbes& probes, Index tile, float* sums) const;
  void add_probe(Index first, Index last, const PldaProbes& probes, Index probe, float* sums) const;

 private:
  friend class PldaProbes;
  struct Shape {
    Index squares = 0;  // which row of squares_
  };
  Index number_of_squares(const float* row);  // it is kept, if it is new

  Index dimensions_;
  PersonRows<Shape> rows_;        // of y and 1
  std::vector<VectorF> squares_;  // all that occur
};

class PldaProbes {
 public:
  // d x n. It serves while the people stay as they are.
  PldaProbes(const PldaPeople& people, const MatrixRef& probes, double weight);

 private:
  friend class PldaPeople;
  const float* tile(Index i) const { return &tiles_[at(i * kTileProbes * depth_)]; }
  // What a row of squares gives the probes of a tile.
  const float* squares(Index row, Index tile) const {
    return &squares_[at((row * tile_count_ + tile) * kTileProbes)];
  }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  Index depth_;  // d + 1
  Index tile_count_;
  std::vector<float> tiles_;    // depth x kTileProbes each
  std::vector<float> probes_;   // depth x n, where there are few
  std::vector<float> squares_;  // kTileProbes for each row of squares and each tile
};

}  // namespace longshot
