// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/ranking.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

void check_enrolled(const Ranks& ranks) {
  if (ranks.enrolled < 1) {
    throw Error("No probe shows an enrolled person, so there is no identification rate.");
  }
}

Index rank_of(const Ranks& ranks, Index probe) {
  return ranks.rank[static_cast<std::size_t>(probe)];
}

}  // namespace

void check_scores(const MatrixRef& distances, std::span<const Index> truth) {
  if (distances.rows() < 1) throw Error("There are no people to compare the probes with.");
  if (distances.cols() < 1) throw Error("There are no probes to evaluate.");
  if (std::ssize(truth) != distances.cols()) {
    throw Error("There are scores of {} probes but true people of {}.", distances.cols(),
                truth.size());
  }
  for (Index probe = 0; probe < distances.cols(); ++probe) {
    const Index person = truth[static_cast<std::size_t>(probe)];
    if (person != kNotEnrolled && (person < 0 || person >= distances.rows())) {
      throw Error("The true person of probe {} is {}, but there are only people 0 to {}.", probe,
                  person, distances.rows() - 1);
    }
    for (Index i = 0; i < distances.rows(); ++i) {
      if (!std::isfinite(distances(i, probe))) {
        throw Error("The score of person {} for probe {} is {}; every score must be finite.", i,
                    probe, distances(i, probe));
      }
    }
  }
}

Ranks rank_true_people(const MatrixRef& distances, std::span<const Index> truth) {
  check_scores(distances, truth);
  Ranks ranks;
  ranks.rank.reserve(truth.size());
  ranks.equal.reserve(truth.size());
  for (Index probe = 0; probe < distances.cols(); ++probe) {
    const Index person = truth[static_cast<std::size_t>(probe)];
    if (person == kNotEnrolled) {
      ranks.rank.push_back(0);
      ranks.equal.push_back(0);
      continue;
    }
    const auto column = distances.col(probe).array();
    const double own = column(person);
    const Index equal = (column == own).count() - 1;
    ranks.rank.push_back(1 + (column < own).count() + equal);
    ranks.equal.push_back(equal);
    ++ranks.enrolled;
    if (equal > 0) ++ranks.tied;
  }
  return ranks;
}

Vector cumulative_match(const Ranks& ranks, Index max_rank) {
  check_enrolled(ranks);
  if (max_rank < 1)
    throw Error("The last rank of a CMC curve must be at least 1, not {}.", max_rank);
  std::vector<Index> hits(static_cast<std::size_t>(max_rank), 0);
  for (Index rank : ranks.rank) {
    if (rank >= 1 && rank <= max_rank) ++hits[static_cast<std::size_t>(rank - 1)];
  }
  Vector curve(max_rank);
  Index sum = 0;
  for (Index k = 0; k < max_rank; ++k) {
    sum += hits[static_cast<std::size_t>(k)];
    curve(k) = static_cast<double>(sum) / static_cast<double>(ranks.enrolled);
  }
  return curve;
}

double rank_one_rate(const Ranks& ranks) {
  return cumulative_match(ranks, 1)(0);
}

McNemar compare_rank_one(const Ranks& first, const Ranks& second) {
  if (first.rank.size() != second.rank.size()) {
    throw Error("A paired comparison needs the same probes, not {} and {} of them.",
                first.rank.size(), second.rank.size());
  }
  check_enrolled(first);
  Index only_first = 0;
  Index only_second = 0;
  for (Index probe = 0; probe < std::ssize(first.rank); ++probe) {
    if ((rank_of(first, probe) == 0) != (rank_of(second, probe) == 0)) {
      throw Error("A paired comparison needs the same people enrolled, but probe {} differs.",
                  probe);
    }
    const bool first_right = rank_of(first, probe) == 1;
    const bool second_right = rank_of(second, probe) == 1;
    if (first_right && !second_right) ++only_first;
    if (second_right && !first_right) ++only_second;
  }
  return mcnemar_test(only_first, only_second);
}

std::vector<Confusion> confusions(const MatrixRef& distances, std::span<const Index> truth) {
  const Ranks ranks = rank_true_people(distances, truth);
  std::vector<Confusion> list;
  for (Index probe = 0; probe < distances.cols(); ++probe) {
    if (rank_of(ranks, probe) <= 1) continue;
    const Index person = truth[static_cast<std::size_t>(probe)];
    Index chosen = -1;
    for (Index i = 0; i < distances.rows(); ++i) {
      if (i == person) continue;
      if (chosen < 0 || distances(i, probe) < distances(chosen, probe)) chosen = i;
    }
    list.push_back({probe, person, chosen, distances(person, probe) - distances(chosen, probe)});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Confusion& a, const Confusion& b) { return a.margin > b.margin; });
  return list;
}

}  // namespace longshot
