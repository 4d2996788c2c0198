// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/coding_gallery.h"

#include <algorithm>
#include <utility>

#include "longshot/core/error.h"

namespace longshot {

Template CodingGallery::make_template(const FeatureSpace& space, const PersonImages& person) {
  if (person.relit_low.cols() == 0) throw Error("There is no image to enrol.");
  Matrix features = space.features(person.relit_low);
  std::vector<Index> usable;
  for (Index j = 0; j < features.cols(); ++j) {
    if (features.col(j).squaredNorm() > 0.0) usable.push_back(j);
  }
  if (usable.empty()) throw Error("The images to enrol are black.");
  features = features(Eigen::all, usable).eval();
  features.colwise().normalize();
  return {{{"samples", std::move(features)}}};
}

void CodingGallery::check(const Template& person) const {
  const Matrix& samples = person.part("samples");
  if (samples.rows() != space_.dimensions() || samples.cols() == 0) refuse_template();
}

void CodingGallery::add(const Template& person) {
  const Matrix& samples = person.part("samples");
  const Index needed = used_ + samples.cols();
  if (needed > atoms_.cols()) {
    atoms_.conservativeResize(space_.dimensions(), std::max(needed, 2 * atoms_.cols()));
  }
  atoms_.middleCols(used_, samples.cols()) = samples;
  first_.push_back(used_);
  used_ = needed;
}

Matrix CodingGallery::unit_features(const MatrixRef& probes) const {
  check_probes(probes, space_.pixels(), people());
  Matrix features = space_.features(probes);
  for (Index j = 0; j < features.cols(); ++j) {
    const double norm = features.col(j).norm();
    if (norm > 0.0) features.col(j) /= norm;
  }
  return features;
}

}  // namespace longshot
