// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/summary.h"

#include "longshot/core/error.h"
#include "longshot/evaluate/statistics.h"

namespace longshot {
namespace {

template <typename Value>
void check_draws(const std::vector<std::vector<Value>>& draws) {
  if (draws.empty()) throw Error("There is no draw to summarise.");
  for (std::size_t draw = 0; draw < draws.size(); ++draw) {
    if (draws[draw].empty()) throw Error("Draw {} has no run to summarise.", draw);
  }
}

}  // namespace

Summary summarise(const RunValues& values) {
  check_draws(values);
  std::vector<double> draw_means;
  std::vector<double> all;
  for (const std::vector<double>& runs : values) {
    draw_means.push_back(mean_and_deviation(runs).mean);
    all.insert(all.end(), runs.begin(), runs.end());
  }
  const MeanAndDeviation over_draws = mean_and_deviation(draw_means);
  Summary summary;
  summary.mean = over_draws.mean;
  summary.draw_deviation = over_draws.deviation;
  summary.run_deviation = mean_and_deviation(all).deviation;
  summary.draws = over_draws.count;
  summary.runs = std::ssize(all);
  return summary;
}

Vector mean_curve(const std::vector<std::vector<Vector>>& curves) {
  check_draws(curves);
  const Index length = curves.front().front().size();
  Vector mean = Vector::Zero(length);
  for (const std::vector<Vector>& runs : curves) {
    Vector draw_mean = Vector::Zero(length);
    for (const Vector& curve : runs) {
      if (curve.size() != length) {
        throw Error("Curves of {} and {} points cannot be averaged.", length, curve.size());
      }
      if (!curve.allFinite()) throw Error("A curve to be averaged has a value that is not finite.");
      draw_mean += curve;
    }
    mean += draw_mean / static_cast<double>(runs.size());
  }
  return mean / static_cast<double>(curves.size());
}

}  // namespace longshot
