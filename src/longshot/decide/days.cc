// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/days.h"

#include <algorithm>
#include <cassert>

#include "longshot/core/privacy.h"
#include "longshot/decide/calibration.h"

namespace longshot {
namespace {

// Tuning people of LFW stand out by 0.8 to 1.3, the training halves of PIE and Yale B by 2.1 to 8.5
// (docs/results.md, "Which day").
constexpr double kAnotherDayBelow = 1.4;
constexpr double kSameDayAbove = 1.7;

}  // namespace

double standing_out(const MatrixRef& nearest) {
  assert(nearest.rows() == kDaysNearest);
  double first = 0.0;
  double next = 0.0;
  for (Index j = 0; j < nearest.cols(); ++j) {
    first += log_ratio(nearest(0, j), nearest(1, j), 0.0);
    for (Index k = 1; k + 1 < kDaysNearest; ++k) {
      next += static_cast<double>(k + 1) * log_ratio(nearest(k, j), nearest(k + 1, j), 0.0);
    }
  }
  return first * static_cast<double>(kDaysNearest - 2) / std::max(next, 1e-12);
}

Days days_of(const MatrixRef& nearest) {
  if (nearest.rows() < kDaysNearest || nearest.cols() < kFewestPeople) return Days::kUnknown;
  const double out = standing_out(nearest);
  if (out < kAnotherDayBelow) return Days::kOther;
  return out > kSameDayAbove ? Days::kSame : Days::kUnknown;
}

}  // namespace longshot
