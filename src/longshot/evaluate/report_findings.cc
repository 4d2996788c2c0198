// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/report_findings.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "longshot/evaluate/ranking.h"

namespace longshot {
namespace {

McNemar compare(const ExperimentResult& best, const ExperimentResult& other) {
  Index only_best = 0;
  Index only_other = 0;
  for (std::size_t run = 0; run < std::min(best.ranks.size(), other.ranks.size()); ++run) {
    const McNemar one = compare_rank_one(best.ranks[run], other.ranks[run]);
    only_best += one.only_first;
    only_other += one.only_second;
  }
  const double draws = std::max<double>(1.0, static_cast<double>(best.draw_rank1.size()));
  const auto of_one_draw = [draws](Index count) {
    return static_cast<Index>(std::lround(static_cast<double>(count) / draws));
  };
  return mcnemar_test(of_one_draw(only_best), of_one_draw(only_other));
}

// Holm, 1979, "A simple sequentially rejective multiple test procedure".
void adjust(std::vector<MethodComparison>& comparisons) {
  std::vector<MethodComparison*> order;
  for (MethodComparison& one : comparisons) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto* a, const auto* b) { return a->test.p < b->test.p; });
  double largest = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    largest = std::max(largest, static_cast<double>(order.size() - k) * order[k]->test.p);
    order[k]->adjusted = std::min(1.0, largest);
  }
}

SizeFinding find_best(const std::vector<const ExperimentResult*>& results) {
  const ExperimentResult& best =
      **std::max_element(results.begin(), results.end(),
                         [](const auto* a, const auto* b) { return a->rank1 < b->rank1; });
  SizeFinding finding{best.size, best.noise, best.method, best.rank1, {}};
  for (const ExperimentResult* other : results) {
    if (other == &best) continue;
    finding.others.push_back({other->method, other->rank1, compare(best, *other), 1.0});
  }
  std::stable_sort(finding.others.begin(), finding.others.end(),
                   [](const auto& a, const auto& b) { return a.rank1 > b.rank1; });
  adjust(finding.others);
  return finding;
}

std::string probability(double p) {
  return p < 0.001 ? "p < 0.001" : fmt::format("p = {:.{}f}", p, p < 0.1 ? 3 : 2);
}

}  // namespace

std::vector<SizeFinding> find_best_methods(const std::vector<ExperimentResult>& results) {
  std::vector<std::vector<const ExperimentResult*>> groups;
  for (const ExperimentResult& result : results) {
    const auto same = [&](const auto& group) {
      return group.front()->size == result.size && group.front()->noise == result.noise;
    };
    auto group = std::find_if(groups.begin(), groups.end(), same);
    if (group == groups.end()) group = groups.emplace(groups.end());
    group->push_back(&result);
  }
  std::vector<SizeFinding> findings;
  for (const auto& group : groups) findings.push_back(find_best(group));
  return findings;
}

std::string to_sentence(const SizeFinding& finding) {
  const std::string start = fmt::format("At {} {} ", to_string(finding.size), finding.best);
  if (finding.others.empty()) {
    return fmt::format("{}ranks the right person first for {:.1f} % of the probes.", start,
                       finding.rank1);
  }
  const MethodComparison& next = finding.others.front();
  if (next.rank1 == finding.rank1) {
    return fmt::format("{}and {} are equally good, {:.1f} % rank one.", start, next.method,
                       finding.rank1);
  }
  const std::string_view verdict = next.adjusted < kSignificance
                                       ? "the difference is significant"
                                       : "these probes cannot tell that from chance";
  return fmt::format("{}is best, {:.1f} % rank one, {:.1f} points ahead of {}; {} ({}).", start,
                     finding.rank1, finding.rank1 - next.rank1, next.method, verdict,
                     probability(next.adjusted));
}

}  // namespace longshot
