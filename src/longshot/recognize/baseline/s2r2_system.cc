// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/s2r2_system.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <Eigen/Cholesky>

#include "longshot/core/error.h"

namespace longshot {

Matrix squared_differences(Size size) {
  Matrix squared = Matrix::Zero(size.pixels(), size.pixels());
  const auto join = [&](Index a, Index b) {
    squared(a, a) += 1.0;
    squared(b, b) += 1.0;
    squared(a, b) -= 1.0;
    squared(b, a) -= 1.0;
  };
  for (Index c = 0; c < size.cols; ++c) {
    for (Index r = 0; r < size.rows; ++r) {
      const Index p = r + c * size.rows;
      if (r + 1 < size.rows) join(p, p + 1);
      if (c + 1 < size.cols) join(p, p + size.rows);
    }
  }
  return squared;
}

Eigen::Vector3d S2r2System::measures(const VectorRef& probe_low,
                                     const VectorRef& features_of_person) const {
  Eigen::Vector3d result;
  for (std::size_t t = 0; t < kMeasures; ++t) {
    const double squared = probe_low.dot(probe[t] * probe_low) +
                           2.0 * probe_low.dot(cross[t] * features_of_person) +
                           features_of_person.dot(gallery[t] * features_of_person);
    result(static_cast<Index>(t)) = std::sqrt(std::max(squared, 0.0));
  }
  return result;
}

S2r2System make_s2r2_system(const MatrixRef& degradation, Size high, const MatrixRef& extraction,
                            double alpha, double beta) {
  assert(degradation.cols() == high.pixels() && extraction.cols() == high.pixels());
  const Index low = degradation.rows();
  const Index features = extraction.rows();
  const Matrix smoothness = squared_differences(high);
  Matrix normal = alpha * alpha * smoothness;
  normal.noalias() += degradation.transpose() * degradation;
  normal.noalias() += beta * beta * extraction.transpose() * extraction;
  const Eigen::LLT<Matrix> factor(normal);
  if (factor.info() != Eigen::Success) {
    throw Error("The super-resolution problem has no unique solution; use a larger alpha.");
  }
  // x = X_y y + X_f f.
  const Matrix x_probe = factor.solve(degradation.transpose());
  const Matrix x_person = beta * beta * factor.solve(extraction.transpose());

  S2r2System system;
  const auto set = [&](std::size_t t, const Matrix& from_probe, const Matrix& from_person) {
    system.probe[t] = from_probe.transpose() * from_probe;
    system.cross[t] = from_probe.transpose() * from_person;
    system.gallery[t] = from_person.transpose() * from_person;
  };
  set(0, degradation * x_probe - Matrix::Identity(low, low), degradation * x_person);
  const Matrix smooth_probe = smoothness * x_probe;
  const Matrix smooth_person = smoothness * x_person;
  system.probe[1] = x_probe.transpose() * smooth_probe;
  system.cross[1] = x_probe.transpose() * smooth_person;
  system.gallery[1] = x_person.transpose() * smooth_person;
  set(2, extraction * x_probe, extraction * x_person - Matrix::Identity(features, features));
  return system;
}

}  // namespace longshot
