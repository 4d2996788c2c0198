// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "longshot/recognize/recognizer.h"

namespace longshot {

struct TuneOptions {
  Index folds = 2;         // parts of the training people; each is tested once, >= 2
  Index draws = 5;         // random choices of the gallery photos per fold, >= 1
  std::uint64_t seed = 1;  // of the draws, the same for every candidate

  void check() const;
};

struct TuneResult {
  Index best = 0;             // index of the candidate
  std::vector<double> rank1;  // of every candidate, in percent
};

// Makes the candidate of that index, not yet trained and not tuning itself.
using CandidateFactory = std::function<std::unique_ptr<Recognizer>(Index)>;

// Chooses among candidates by imitating the test on training people only: the people are split into
// folds; a candidate learns from the others, enrols one photo of each person of the fold and
// identifies the remaining photos. The highest mean rank-one rate wins, the earlier candidate among
// equals, so list the preferred ones first; a candidate that cannot learn from a fold (too many
// atoms for few photos) recognises nobody there. Two candidates or more need at least 2 people per
// fold with 2 photos each; with fewer people the first candidate wins untested.
TuneResult tune(const TrainingSet& training, Index candidates, const CandidateFactory& make,
                const TuneOptions& options = {});

// Log-likelihood ratios of people and probes (N_L x n), people x n, by other features than a method
// compares.
using Evidence =
    std::function<Matrix(const std::vector<const PersonImages*>& people, const Matrix& probes)>;

// Chooses how much such evidence r counts beside the distances d of a method, in the same way: the
// weight w whose d exp(-w r) find the most. The evidence is asked for once, so it may be dear.
TuneResult tune_weight(const TrainingSet& training, const std::vector<double>& weights,
                       const std::function<std::unique_ptr<Recognizer>()>& make,
                       const Evidence& evidence, const TuneOptions& options = {});

// The options with which a method works: those that tuning prefers among `candidates(options)`, or
// the given ones where they ask for none or there is nobody to tune on. Each candidate is made as
// Method(candidate, shared...).
template <typename Method, typename Options, typename... Shared>
Options tuned(const TrainingSet& training, const Options& options,
              std::vector<Options> (*candidates)(const Options&), const Shared&... shared) {
  if (!options.tune || training.empty()) return options;
  const std::vector<Options> list = candidates(options);
  const TuneResult result = tune(training, static_cast<Index>(list.size()), [&](Index i) {
    return std::make_unique<Method>(list[static_cast<std::size_t>(i)], shared...);
  });
  return list[static_cast<std::size_t>(result.best)];
}

// Those of the training photos (columns), with everything that belongs to them. The people to be
// enrolled are left out.
TrainingSet part_of(const TrainingSet& training, const std::vector<Index>& photos);

}  // namespace longshot
