// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// Searches people whose features lie in one block.
template <typename Block>
class BlockSearcher : public Searcher {
 public:
  Index people() const final { return block_.people(); }
  Index bytes_per_probe() const final { return block_.bytes(); }
  Matrix distances(const MatrixRef& probes) const final {
    check_probes(probes, space_.pixels(), people());
    return all_distances(block_, space_.features(probes));
  }
  Matches search(const MatrixRef& probes, Index top) const final {
    check_probes(probes, space_.pixels(), people());
    return search_people(block_, space_.features(probes), top);
  }

 protected:
  BlockSearcher(FeatureSpace space, Block block)
      : space_(std::move(space)), block_(std::move(block)) {}

  const FeatureSpace& space() const { return space_; }
  Block& block() { return block_; }

 private:
  FeatureSpace space_;
  Block block_;
};

}  // namespace longshot
