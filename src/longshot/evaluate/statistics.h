// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "longshot/core/matrix.h"

namespace longshot {

// All functions throw Error for an empty sample and for values that are not finite.

struct MeanAndDeviation {
  double mean = 0.0;
  double deviation = 0.0;  // sample deviation, divisor count - 1; 0 where count is 1
  Index count = 0;
};

MeanAndDeviation mean_and_deviation(std::span<const double> values);

// Linear interpolation between order statistics, position p / 100 (n - 1): definition 7 of Hyndman
// and Fan (1996), "Sample quantiles in statistical packages". `percent` is in [0, 100].
double percentile(std::span<const double> values, double percent);
double median(std::span<const double> values);

// The x with P(X <= x) = p for a standard normal X. `p` is in (0, 1), open.
double normal_quantile(double p);

struct Interval {
  double low = 0.0;
  double high = 0.0;
};

// Score interval of a proportion (Wilson, 1927), clipped to [0, 1]. It supposes independent trials:
// several probes of one person are not, so there it is narrower than the truth.
// 0 <= successes <= trials, trials > 0, confidence in (0, 1).
Interval wilson_interval(Index successes, Index trials, double confidence = 0.95);

struct McNemar {
  Index only_first = 0;   // probes that only the first method got right
  Index only_second = 0;  // probes that only the second method got right
  double p = 1.0;         // two-sided
  bool exact = true;      // binomial; otherwise chi-square with Edwards' continuity correction
};

// Do two methods that saw the same probes differ (McNemar, 1947)? Exact while fewer than
// kMcNemarExactBelow probes tell them apart. Supposes independent probes, as above.
inline constexpr Index kMcNemarExactBelow = 25;
McNemar mcnemar_test(Index only_first, Index only_second);

}  // namespace longshot
