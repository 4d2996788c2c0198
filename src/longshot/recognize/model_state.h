// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "longshot/core/matrix.h"
#include "longshot/feature/feature_space.h"

namespace longshot {

// What a recogniser has learnt, as matrices by name: the content of a model file.
class ModelState {
 public:
  void set(const std::string& name, const Matrix& values);
  void set_number(const std::string& name, double value);
  void set_space(const std::string& name, const FeatureSpace& space);

  // All throw Error, as for a damaged model, where the name is missing or the value unsuitable.
  const Matrix& matrix(const std::string& name) const;
  double number(const std::string& name) const;  // finite
  Index count(const std::string& name, Index low, Index high) const;
  FeatureSpace space(const std::string& name) const;

  const std::map<std::string, Matrix>& matrices() const { return matrices_; }

 private:
  std::map<std::string, Matrix> matrices_;
};

}  // namespace longshot
