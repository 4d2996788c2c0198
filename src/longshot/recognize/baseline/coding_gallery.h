// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/matrix_searcher.h"

namespace longshot {

// The relit samples of all people side by side, each of unit length: the dictionary over which
// methods code a probe that compare people by their share of the code.
class CodingGallery {
 public:
  explicit CodingGallery(FeatureSpace space) : space_(std::move(space)) {}

  // What enrolment keeps: features d x m with columns of unit norm. Throws Error for no image and
  // for images without content.
  static Template make_template(const FeatureSpace& space, const PersonImages& person);

  // As MatrixSearcher asks for.
  void check(const Template& person) const;
  void add(const Template& person);
  Index people() const { return static_cast<Index>(first_.size()); }
  Matrix dictionary() const { return atoms_.leftCols(used_); }  // d x K
  Index first(Index person) const { return first_[static_cast<std::size_t>(person)]; }
  Index count(Index person) const {
    return (person + 1 < people() ? first(person + 1) : used_) - first(person);
  }

  // d x n, of unit norm; 0 for a probe without content. Makes the checks of Searcher::distances.
  Matrix unit_features(const MatrixRef& probes) const;

 private:
  FeatureSpace space_;
  Matrix atoms_;  // d x capacity
  Index used_ = 0;
  std::vector<Index> first_;  // column of each person's first atom
};

}  // namespace longshot
