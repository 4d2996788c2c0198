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

}  // namespace longshot
