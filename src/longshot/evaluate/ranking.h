// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/evaluate/statistics.h"

namespace longshot {

// Closed-set identification. Everywhere in evaluate/:
//   distances  people x probes, lower is better; every entry finite
//   truth      probes; row of the probe's person in `distances`, or kNotEnrolled
// Rates are fractions in [0, 1].
inline constexpr Index kNotEnrolled = -1;

// Throws Error if there are no people or no probes, if `truth` has another length than the probes
// or points outside the people, or if a distance is not finite.
void check_scores(const MatrixRef& distances, std::span<const Index> truth);

struct Ranks {
  // One entry per probe. Rank of the true person, 1 + #better + #equal others: equal distances
  // count against the method, or one that gives all people the same score would be perfect.
  // 0 where the probe's person is not enrolled.
  std::vector<Index> rank;
  std::vector<Index> equal;  // other people at exactly the true person's distance; 0 likewise
  Index enrolled = 0;        // probes whose person is enrolled: the denominator of every rate
  Index tied = 0;            // enrolled probes with at least one equal
};

Ranks rank_true_people(const MatrixRef& distances, std::span<const Index> truth);

// Element k - 1 is the fraction of enrolled probes with rank <= k, for k = 1..max_rank; 1 from the
// number of people on. Throws Error if no probe is enrolled or max_rank < 1.
Vector cumulative_match(const Ranks& ranks, Index max_rank);

double rank_one_rate(const Ranks& ranks);

// McNemar's test on the probes that just one of two methods ranks first. Both must have ranked the
// same probes.
McNemar compare_rank_one(const Ranks& first, const Ranks& second);

struct Confusion {
  Index probe = 0;
  Index truth = 0;
  Index chosen = 0;     // the best of the other people, the first of them where several are equal
  double margin = 0.0;  // distance of the true person minus that of the chosen, >= 0
};

// The enrolled probes that are not ranked first, largest margin first, then in probe order.
std::vector<Confusion> confusions(const MatrixRef& distances, std::span<const Index> truth);

}  // namespace longshot
