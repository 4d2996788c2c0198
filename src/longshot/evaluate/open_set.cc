// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/open_set.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "longshot/core/error.h"
#include "longshot/decide/lowest_two.h"
#include "longshot/evaluate/ranking.h"

namespace longshot {
namespace {

Index people_needed(OpenSetStatistic statistic) {
  switch (statistic) {
    case OpenSetStatistic::kAbsolute:
      return 1;
    case OpenSetStatistic::kRatio:
    case OpenSetStatistic::kMargin:
      return 2;
    case OpenSetStatistic::kTestNorm:
      return 3;
  }
  throw Error("The field statistic of the open-set options has no valid value.");
}

double ratio(double first, double second, double zero) {
  const double s2 = second - zero;
  if (s2 <= 0.0) return 0.0;
  return 1.0 - std::max(0.0, first - zero) / s2;
}

double test_norm(const VectorRef& distances, const LowestTwo& best) {
  const double others = static_cast<double>(distances.size() - 1);
  double sum = 0.0;
  for (Index i = 0; i < distances.size(); ++i) sum += distances(i) - best.first;
  const double lead = sum / others;
  if (lead == 0.0) return 0.0;
  double squares = 0.0;
  for (Index i = 0; i < distances.size(); ++i) {
    if (i == best.row) continue;
    const double difference = distances(i) - best.first - lead;
    squares += difference * difference;
  }
  const double deviation = std::sqrt(squares / (others - 1.0));
  // Others that are all equal have no deviation; the floor keeps the statistic finite.
  return lead / std::max(deviation, std::numeric_limits<double>::epsilon() * lead);
}

void check_statistics(const VectorRef& statistics) {
  if (statistics.size() < 1) {
    throw Error(
        "A false positive rate needs probes of people who are not enrolled; there are none.");
  }
  if (!statistics.allFinite()) {
    throw Error("One of the open-set statistics of the people not enrolled is not finite.");
  }
}

// The largest k <= count with k / count <= rate in floating point: 0.29 of 100 is 29, although
// 0.29 * 100 rounds to less.
Index allowed_errors(double rate, Index count) {
  const double n = static_cast<double>(count);
  auto k = static_cast<Index>(rate * n);
  if (k < count && static_cast<double>(k + 1) / n <= rate) ++k;
  if (k > 0 && static_cast<double>(k) / n > rate) --k;
  return k;
}

}  // namespace

void OpenSetOptions::check() const {
  people_needed(statistic);
  if (!std::isfinite(zero)) {
    throw Error("The field zero of the open-set options must be finite, not {}.", zero);
  }
}

double open_set_statistic(const VectorRef& distances, const OpenSetOptions& options) {
  options.check();
  if (distances.size() < people_needed(options.statistic)) {
    throw Error(
        "This open-set statistic needs at least {} enrolled people, but there are {}; enrol more "
        "or "
        "use the absolute distance.",
        people_needed(options.statistic), distances.size());
  }
  if (!distances.allFinite()) {
    throw Error("A probe has a score that is not finite, so it has no open-set statistic.");
  }
  const LowestTwo best = lowest_two(distances);
  switch (options.statistic) {
    case OpenSetStatistic::kRatio:
      return ratio(best.first, best.second, options.zero);
    case OpenSetStatistic::kMargin:
      return best.second - best.first;
    case OpenSetStatistic::kAbsolute:
      return -best.first;
    case OpenSetStatistic::kTestNorm:
      return test_norm(distances, best);
  }
  assert(false);
  return 0.0;
}

OpenSetThreshold threshold_at_fpir(const VectorRef& impostor_statistics, double fpir) {
  check_statistics(impostor_statistics);
  if (!(fpir >= 0.0 && fpir <= 1.0)) {
    throw Error("A false positive identification rate must lie between 0 and 1, not {}.", fpir);
  }
  OpenSetThreshold result;
  result.impostors = impostor_statistics.size();
  const Index allowed = allowed_errors(fpir, result.impostors);
  if (allowed == result.impostors) {
    result.threshold = -std::numeric_limits<double>::infinity();
  } else {
    // At most `allowed` values lie above the one at that place in descending order, and any lower
    // threshold lets that one through as well.
    std::vector<double> values(impostor_statistics.begin(), impostor_statistics.end());
    const auto place = values.begin() + allowed;
    std::nth_element(values.begin(), place, values.end(), std::greater<>());
    result.threshold = *place;
  }
  result.fpir = fpir_at_threshold(impostor_statistics, result.threshold);
  return result;
}

double fpir_at_threshold(const VectorRef& impostor_statistics, double threshold) {
  check_statistics(impostor_statistics);
  if (std::isnan(threshold)) throw Error("The open-set threshold is not a number.");
  return static_cast<double>((impostor_statistics.array() > threshold).count()) /
         static_cast<double>(impostor_statistics.size());
}

OpenSetScores open_set_scores(const MatrixRef& distances, std::span<const Index> truth,
                              const OpenSetOptions& options) {
  const Ranks ranks = rank_true_people(distances, truth);
  OpenSetScores scores;
  scores.known.resize(ranks.enrolled);
  scores.ranked.reserve(static_cast<std::size_t>(ranks.enrolled));
  scores.unknown.resize(distances.cols() - ranks.enrolled);
  Index next_known = 0;
  Index next_unknown = 0;
  for (Index probe = 0; probe < distances.cols(); ++probe) {
    const double statistic = open_set_statistic(distances.col(probe), options);
    const Index rank = ranks.rank[static_cast<std::size_t>(probe)];
    if (rank == 0) {
      scores.unknown(next_unknown++) = statistic;
    } else {
      scores.known(next_known++) = statistic;
      scores.ranked.push_back(rank == 1);
    }
  }
  return scores;
}

void append(OpenSetScores& scores, const OpenSetScores& more) {
  Vector known(scores.known.size() + more.known.size());
  known << scores.known, more.known;
  Vector unknown(scores.unknown.size() + more.unknown.size());
  unknown << scores.unknown, more.unknown;
  scores.known = std::move(known);
  scores.unknown = std::move(unknown);
  scores.ranked.insert(scores.ranked.end(), more.ranked.begin(), more.ranked.end());
}

OpenSetRates rates_at_fpir(const OpenSetScores& scores, double fpir) {
  return rates_at_threshold(scores, threshold_at_fpir(scores.unknown, fpir).threshold);
}

OpenSetRates rates_at_threshold(const OpenSetScores& scores, double threshold) {
  assert(scores.known.size() == std::ssize(scores.ranked));
  if (scores.known.size() < 1) {
    throw Error("No probe shows an enrolled person, so there is no identification rate.");
  }
  OpenSetRates rates;
  rates.threshold = threshold;
  rates.fpir = fpir_at_threshold(scores.unknown, threshold);
  Index found = 0;
  for (Index i = 0; i < scores.known.size(); ++i) {
    if (scores.ranked[static_cast<std::size_t>(i)] && scores.known(i) > threshold) ++found;
  }
  rates.dir = static_cast<double>(found) / static_cast<double>(scores.known.size());
  return rates;
}

}  // namespace longshot
