// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_state.h"

#include <cmath>

#include "longshot/core/error.h"

namespace longshot {

void ModelState::set(const std::string& name, const Matrix& values) {
  matrices_[name] = values;
}

void ModelState::set_number(const std::string& name, double value) {
  matrices_[name] = Matrix::Constant(1, 1, value);
}

void ModelState::set_space(const std::string& name, const FeatureSpace& space) {
  set_number(name + ".normalisation", static_cast<double>(space.normalisation()));
  set(name + ".mean", space.mean());
  set(name + ".basis", space.basis());
}

const Matrix& ModelState::matrix(const std::string& name) const {
  const auto found = matrices_.find(name);
  if (found == matrices_.end()) {
    throw Error(ErrorKind::damaged, "The model is damaged: it has no \"{}\".", name);
  }
  return found->second;
}

double ModelState::number(const std::string& name) const {
  const Matrix& values = matrix(name);
  if (values.size() != 1 || !std::isfinite(values(0, 0))) {
    throw Error(ErrorKind::damaged, "The model is damaged: \"{}\" is not a number.", name);
  }
  return values(0, 0);
}

Index ModelState::count(const std::string& name, Index low, Index high) const {
  const double value = number(name);
  if (value != std::floor(value) || value < static_cast<double>(low) ||
      value > static_cast<double>(high)) {
    throw Error(ErrorKind::damaged,
                "The model is damaged: \"{}\" is {}, not a whole number from {} to {}.", name,
                value, low, high);
  }
  return static_cast<Index>(value);
}

FeatureSpace ModelState::space(const std::string& name) const {
  const Index kind =
      count(name + ".normalisation", 0, static_cast<Index>(Normalisation::kRootUnitNorm));
  const Matrix& mean = matrix(name + ".mean");
  if (mean.cols() != 1) {
    throw Error(ErrorKind::damaged, "The model is damaged: \"{}.mean\" is not a vector.", name);
  }
  return {static_cast<Normalisation>(kind), mean.col(0), matrix(name + ".basis")};
}

}  // namespace longshot
