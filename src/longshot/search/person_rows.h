// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tbb/cache_aligned_allocator.h>

#include "longshot/core/matrix.h"
#include "longshot/search/tile.h"

namespace longshot {

// Numbers of all people one after the other in one aligned block of single precision, which is read
// from beginning to end.
class PersonRows {
 public:
  Index people() const { return static_cast<Index>(begins_.size()); }
  void reserve(Index people, Index values_per_person) {
    begins_.reserve(at(people));
    values_.reserve(at(people * values_per_person));
  }
  // Room for one person more; returns where its numbers begin.
  float* add(Index values) {
    begins_.push_back(static_cast<Index>(values_.size()));
    values_.resize(values_.size() + at(values));
    return &values_[at(begins_.back())];
  }
  const float* of(Index person) const { return &values_[at(begins_[at(person)])]; }
  Index bytes() const { return static_cast<Index>(values_.size() * sizeof(float)); }

 private:
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  std::vector<Index> begins_;
  std::vector<float, tbb::cache_aligned_allocator<float>> values_;
};

}  // namespace longshot
