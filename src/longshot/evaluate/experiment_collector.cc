// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/experiment_collector.h"

#include <algorithm>
#include <utility>

#include "longshot/evaluate/statistics.h"
#include "longshot/evaluate/verification.h"

namespace longshot {
namespace {

constexpr Index kCurvePoints = 200;  // of a plotted ROC

}  // namespace

ExperimentResult summarise(Collector& collector, const ExperimentOptions& options) {
  ExperimentResult result;
  const Summary rank1 = summarise(collector.rank1);
  result.rank1 = rank1.mean;
  result.rank1_deviation = rank1.draw_deviation;
  for (const std::vector<double>& draw : collector.rank1) {
    result.draw_rank1.push_back(mean_and_deviation(draw).mean);
  }
  const Interval interval = wilson_interval(collector.correct, collector.tried);
  result.rank1_interval = {100.0 * interval.low, 100.0 * interval.high};
  const Vector cmc = mean_curve(collector.cmc);
  result.cmc.assign(cmc.begin(), cmc.end());
  result.gallery = collector.people;
  result.probes = collector.probes;
  result.tied = collector.tied;
  for (std::size_t f = 0; f < std::size(kFpirs); ++f) {
    if (!collector.dir[f].empty()) {
      result.dir_at_fpir[kFpirs[f]] = mean_and_deviation(collector.dir[f]).mean;
    }
  }
  for (std::size_t f = 0; f < collector.decided.size(); ++f) {
    const DecisionCounts& counts = collector.decided[f];
    if (counts.strangers > 0) result.decided[kAskedFpirs[f]] = counts;
  }
  const VerificationCurve curve =
      verification_curve(Eigen::Map<const Vector>(collector.genuine.data(),
                                                  static_cast<Index>(collector.genuine.size())),
                         Eigen::Map<const Vector>(collector.impostor.data(),
                                                  static_cast<Index>(collector.impostor.size())));
  result.equal_error_rate = 100.0 * equal_error_rate(curve);
  result.roc = decimate(curve, kCurvePoints);
  result.enrol_ms = mean_and_deviation(collector.enrol_ms).mean;
  result.identify_ms = collector.identify_ms / static_cast<double>(collector.enrol_ms.size());
  result.person_bytes = collector.person_bytes;
  result.probe_bytes = collector.probe_bytes;
  result.ranks = std::move(collector.ranks);
  std::stable_sort(
      collector.confusions.begin(), collector.confusions.end(),
      [](const ShownConfusion& a, const ShownConfusion& b) { return a.margin > b.margin; });
  if (static_cast<Index>(collector.confusions.size()) > options.kept_confusions) {
    collector.confusions.resize(static_cast<std::size_t>(options.kept_confusions));
  }
  result.confusions = std::move(collector.confusions);
  return result;
}

}  // namespace longshot
