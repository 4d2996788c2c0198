// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/verification.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "longshot/core/error.h"
#include "longshot/evaluate/ranking.h"
#include "longshot/evaluate/statistics.h"

namespace longshot {
namespace {

std::vector<double> sorted(const VectorRef& scores, const char* kind) {
  if (scores.size() < 1) throw Error("There are no {} scores, so there are no error rates.", kind);
  if (!scores.allFinite()) throw Error("One of the {} scores is not finite.", kind);
  std::vector<double> result(scores.begin(), scores.end());
  std::sort(result.begin(), result.end());
  return result;
}

double deviate(double rate, Index pairs) {
  const double half_error = 0.5 / static_cast<double>(pairs);
  return normal_quantile(std::clamp(rate, half_error, 1.0 - half_error));
}

DetPoint det_point(const OperatingPoint& point, const VerificationCurve& curve) {
  return {deviate(point.fmr, curve.impostor), deviate(point.fnmr, curve.genuine)};
}

}  // namespace

VerificationScores verification_scores(const MatrixRef& distances, std::span<const Index> truth) {
  check_scores(distances, truth);
  const Index genuine = std::ssize(truth) - std::count(truth.begin(), truth.end(), kNotEnrolled);
  VerificationScores scores;
  scores.genuine.resize(genuine);
  scores.impostor.resize(distances.size() - genuine);
  Index next_genuine = 0;
  Index next_impostor = 0;
  for (Index probe = 0; probe < distances.cols(); ++probe) {
    for (Index person = 0; person < distances.rows(); ++person) {
      if (person == truth[static_cast<std::size_t>(probe)]) {
        scores.genuine(next_genuine++) = distances(person, probe);
      } else {
        scores.impostor(next_impostor++) = distances(person, probe);
      }
    }
  }
  return scores;
}

VerificationCurve verification_curve(const VectorRef& genuine, const VectorRef& impostor) {
  const std::vector<double> own = sorted(genuine, "genuine");
  const std::vector<double> other = sorted(impostor, "impostor");
  VerificationCurve curve;
  curve.genuine = genuine.size();
  curve.impostor = impostor.size();
  curve.points.push_back({-std::numeric_limits<double>::infinity(), 0.0, 1.0});
  std::size_t matches = 0;
  std::size_t false_matches = 0;
  while (matches < own.size() || false_matches < other.size()) {
    double threshold = std::numeric_limits<double>::infinity();
    if (matches < own.size()) threshold = own[matches];
    if (false_matches < other.size()) threshold = std::min(threshold, other[false_matches]);
    while (matches < own.size() && own[matches] <= threshold) ++matches;
    while (false_matches < other.size() && other[false_matches] <= threshold) ++false_matches;
    curve.points.push_back(
        {threshold, static_cast<double>(false_matches) / static_cast<double>(other.size()),
         static_cast<double>(own.size() - matches) / static_cast<double>(own.size())});
  }
  return curve;
}

double equal_error_rate(const VerificationCurve& curve) {
  assert(curve.points.size() >= 2);
  // The difference falls from 1 to -1 along the curve, so a first point at or below 0 exists and
  // has a predecessor above 0.
  const auto after = std::find_if(curve.points.begin(), curve.points.end(),
                                  [](const OperatingPoint& p) { return p.fnmr <= p.fmr; });
  assert(after != curve.points.begin() && after != curve.points.end());
  const auto before = after - 1;
  const double excess = before->fnmr - before->fmr;
  const double fraction = excess / (excess + after->fmr - after->fnmr);
  return before->fmr + fraction * (after->fmr - before->fmr);
}

OperatingPoint point_at_fmr(const VerificationCurve& curve, double fmr) {
  if (!(fmr >= 0.0 && fmr <= 1.0)) {
    throw Error("A false match rate must lie between 0 and 1, not {}.", fmr);
  }
  assert(!curve.points.empty());
  // Along the curve FMR rises and FNMR falls: the last admissible point is the best.
  const auto beyond = std::partition_point(curve.points.begin(), curve.points.end(),
                                           [fmr](const OperatingPoint& p) { return p.fmr <= fmr; });
  return *(beyond - 1);
}

std::vector<DetPoint> det_points(const VerificationCurve& curve) {
  std::vector<DetPoint> points;
  points.reserve(curve.points.size());
  for (const OperatingPoint& point : curve.points) points.push_back(det_point(point, curve));
  return points;
}

VerificationCurve decimate(const VerificationCurve& curve, Index max_points) {
  if (max_points < 2) throw Error("A curve needs at least 2 points, not {}.", max_points);
  if (std::ssize(curve.points) <= max_points) return curve;
  const auto along = [&curve](const OperatingPoint& point) {
    const DetPoint det = det_point(point, curve);
    return det.fmr_deviate - det.fnmr_deviate;
  };
  const double start = along(curve.points.front());
  const double step = (along(curve.points.back()) - start) / static_cast<double>(max_points - 1);
  VerificationCurve result;
  result.genuine = curve.genuine;
  result.impostor = curve.impostor;
  result.points.push_back(curve.points.front());
  Index next = 1;
  for (std::size_t i = 1; i + 1 < curve.points.size() && next < max_points - 1; ++i) {
    const double length = along(curve.points[i]) - start;
    if (length < static_cast<double>(next) * step) continue;
    result.points.push_back(curve.points[i]);
    while (length >= static_cast<double>(next) * step && next < max_points - 1) ++next;
  }
  result.points.push_back(curve.points.back());
  return result;
}

}  // namespace longshot
