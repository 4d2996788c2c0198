// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/soft_subspace.h"

#include <algorithm>

#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"

namespace longshot {

void SoftSubspaceOptions::check() const {
  if (dimensions < 1) throw Error("dimensions must be at least 1, not {}.", dimensions);
  if (!(spread > 0.0)) throw Error("spread must be positive, not {}.", spread);
  if (!(nearest >= 0.0)) throw Error("nearest must not be negative, but is {}.", nearest);
}

SoftSubspace learn_soft_subspace(const MatrixRef& samples, const SoftSubspaceOptions& options) {
  options.check();
  if (samples.size() == 0) throw Error("There is no image to enrol.");
  SoftSubspace person;
  person.mean = samples.rowwise().mean();
  const Matrix away = samples.colwise() - person.mean;
  const LeftSingular svd = left_singular(away);
  const Index kept = std::max<Index>(
      1, std::min(options.dimensions, std::min(samples.cols() - 1, samples.rows())));
  person.basis = svd.vectors.leftCols(kept);
  const Vector lambda =
      options.spread * svd.values.head(kept).array().square() / static_cast<double>(samples.cols());
  person.shrinkage = lambda.array() / (lambda.array() + 1.0);
  person.offset = (lambda.array() + 1.0).log().sum();

  // x_j = m + U c_j, so y'x_j = c_j'U'(y - m) + m'(y - m) + m'x_j.
  const Matrix codes = person.basis.transpose() * away;  // k x m
  person.samples.resize(kept + 2, samples.cols());
  for (Index j = 0; j < samples.cols(); ++j) {
    const Vector inside = person.mean + person.basis * codes.col(j);
    const double length = inside.norm();
    person.samples.col(j) << codes.col(j), 1.0, person.mean.dot(inside);
    if (length > 0.0) person.samples.col(j) /= length;
  }
  return person;
}

}  // namespace longshot
