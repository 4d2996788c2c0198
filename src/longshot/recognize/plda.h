// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "longshot/search/matrix_view.h"
#include "longshot/search/person_rows.h"

namespace longshot {

// Probabilistic linear discriminant analysis with two covariances (Ioffe, ECCV 2006; Sizov et al.,
// 2014), in coordinates in which both are diagonal: an image is y = h + e, where h ~ N(0, diag(b))
// is the same in all images of a person and e ~ N(0, I) is another in each.

// What is known of a person after n images, as coefficients of log p(y | person) - log p(y), which
// is linear in y, y^2 and 1: 2 d + 1 numbers. By n images of mean m, h is normal with the variances
// v = b / (1 + n b) and the mean n v m, exactly. `between` is b (d, none negative), `images` d x n.
// Throws Error without images and on sizes that do not agree.
Vector plda_person(const Vector& between, const MatrixRef& images);

// People to be compared with probes; they are kept in single precision. Copies share them.
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
  // The same in single precision, on one thread.
  MatrixF log_ratios_quickly(const MatrixRef& probes, Index first, Index last) const;

 private:
  struct NoShape {};  // all people have the same

  Index dimensions_;
  PersonRows<NoShape> rows_;
};

}  // namespace longshot
