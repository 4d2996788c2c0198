// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "longshot/core/parallel.h"
#include "longshot/feature/feature_space.h"
#include "longshot/recognize/recognizer.h"
#include "longshot/search/person_scorer.h"

namespace longshot {

// Calls body(i) for many stored templates, by several threads, in steps that are worth a task.
template <typename Body>
void for_each_stored(StoredTemplates stored, const Body& body) {
  constexpr Index kStep = 256;
  parallel_blocks(static_cast<Index>(stored.size()), kStep, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) body(static_cast<std::size_t>(i));
  });
}

// For searchers that are made from stored templates: they take others in their stored form.
class StoredSearcher : public Searcher {
 public:
  void add_all(std::span<const Template> people) final {
    std::vector<std::vector<float>> values(people.size());
    std::transform(people.begin(), people.end(), values.begin(), template_values);
    add_stored(std::vector<StoredTemplate>(values.begin(), values.end()));
  }
};

// Searches people whose features lie in one block; `Rows` is what the block takes of a person.
template <typename Block, typename Rows>
class BlockSearcher : public StoredSearcher {
 public:
  void replace(Index first, Index last, StoredTemplates stored) final {
    std::vector<Rows> rows(stored.size());
    for_each_stored(stored, [&](std::size_t i) { rows[i] = read(stored[i]); });
    block_.replace(first, last, rows);
  }
  Index people() const final { return block_.people(); }
  Index bytes() const final { return block_.bytes(); }
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

  // The parts of a template; throws Error if it belongs to another model.
  virtual Rows read(StoredTemplate stored) const = 0;
  const FeatureSpace& space() const { return space_; }

 private:
  FeatureSpace space_;
  Block block_;
};

}  // namespace longshot
