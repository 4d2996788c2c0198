// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/soft_subspace.h"

#include <algorithm>

#include <Eigen/SVD>

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
  const Eigen::BDCSVD<Matrix> svd(away, Eigen::ComputeThinU);
  const Index kept = std::max<Index>(
      1, std::min(options.dimensions, std::min(samples.cols() - 1, samples.rows())));
  person.basis = svd.matrixU().leftCols(kept);
  const Vector lambda = options.spread * svd.singularValues().head(kept).array().square() /
                        static_cast<double>(samples.cols());
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

Vector soft_distances(const SoftSubspace& person, const MatrixRef& features, double nearest) {
  const Matrix away = features.colwise() - person.mean;
  const Matrix codes = person.basis.transpose() * away;  // k x n
  Vector distances =
      away.colwise().squaredNorm().transpose() - codes.cwiseAbs2().transpose() * person.shrinkage;
  distances = distances.cwiseMax(0.0).array() + person.offset;
  if (nearest == 0.0) return distances;
  const Index k = person.basis.cols();
  const Matrix dots =  // m x n: y'x_j / |x_j|
      (person.samples.topRows(k).transpose() * codes +
       person.samples.row(k).transpose() * (person.mean.transpose() * away))
          .colwise() +
      person.samples.row(k + 1).transpose();
  const double weight = nearest * static_cast<double>(features.rows());
  for (Index j = 0; j < features.cols(); ++j) {
    const double length = features.col(j).norm();
    const double cosine = length > 0.0 ? dots.col(j).maxCoeff() / length : 0.0;
    distances(j) += weight * (1.0 - std::min(cosine, 1.0));
  }
  return distances;
}

}  // namespace longshot
