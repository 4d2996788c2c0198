// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/statistics.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "longshot/core/error.h"

namespace longshot {
namespace {

void check_sample(std::span<const double> values) {
  if (values.empty()) throw Error("A statistic of no values was asked for; give at least one.");
  for (double value : values) {
    if (!std::isfinite(value)) {
      throw Error("A statistic was asked for of values of which one is {}; all must be finite.",
                  value);
    }
  }
}

// P(X > x) of a standard normal X; erfc keeps its relative precision in the tail.
double upper_tail(double x) {
  return 0.5 * std::erfc(x / std::numbers::sqrt2);
}

// The x >= 0 with P(X > x) = tail, for tail in (0, 1/2]. Abramowitz and Stegun, 26.2.23 (error
// below 4.5e-4), then Halley's method, which cubes the error each time.
double upper_quantile(double tail) {
  const double t = std::sqrt(-2.0 * std::log(tail));
  double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                     (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
  for (int step = 0; step < 2; ++step) {
    const double density = std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi);
    const double u = (upper_tail(x) - tail) / density;
    x += u / (1.0 - 0.5 * x * u);
  }
  return x;
}

// P(at most k heads in n fair throws); n is small enough that 2^-n is exact.
double fair_binomial_cdf(Index k, Index n) {
  double term = std::ldexp(1.0, -static_cast<int>(n));
  double sum = 0.0;
  for (Index i = 0; i <= k; ++i) {
    sum += term;
    term *= static_cast<double>(n - i) / static_cast<double>(i + 1);
  }
  return sum;
}

}  // namespace

MeanAndDeviation mean_and_deviation(std::span<const double> values) {
  check_sample(values);
  // Plain sums: Eigen's order of summation follows the address of the data, and the last bit with
  // it.
  MeanAndDeviation result;
  result.count = std::ssize(values);
  for (double value : values) result.mean += value;
  result.mean /= static_cast<double>(result.count);
  if (result.count == 1) return result;
  double squares = 0.0;
  for (double value : values) squares += (value - result.mean) * (value - result.mean);
  result.deviation = std::sqrt(squares / static_cast<double>(result.count - 1));
  return result;
}

double percentile(std::span<const double> values, double percent) {
  check_sample(values);
  if (!(percent >= 0.0 && percent <= 100.0)) {
    throw Error("A percentile must lie between 0 and 100, not {}.", percent);
  }
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  const double position = percent / 100.0 * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  const double fraction = position - static_cast<double>(below);
  return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

double median(std::span<const double> values) {
  return percentile(values, 50.0);
}

double normal_quantile(double p) {
  if (!(p > 0.0 && p < 1.0)) {
    throw Error("A normal quantile needs a probability between 0 and 1, not {}.", p);
  }
  if (p == 0.5) return 0.0;
  return p < 0.5 ? -upper_quantile(p) : upper_quantile(1.0 - p);
}

Interval wilson_interval(Index successes, Index trials, double confidence) {
  if (trials < 1 || successes < 0 || successes > trials) {
    throw Error("An interval was asked for {} successes in {} trials; give 0 to n of n > 0 trials.",
                successes, trials);
  }
  if (!(confidence > 0.0 && confidence < 1.0)) {
    throw Error("The confidence must lie between 0 and 1, not {}.", confidence);
  }
  const double n = static_cast<double>(trials);
  const double p = static_cast<double>(successes) / n;
  const double z = normal_quantile(0.5 + 0.5 * confidence);
  const double shrink = 1.0 / (1.0 + z * z / n);
  const double centre = shrink * (p + 0.5 * z * z / n);
  const double half = shrink * z * std::sqrt(p * (1.0 - p) / n + 0.25 * z * z / (n * n));
  // Exact at the ends, where centre and half cancel up to rounding.
  return {successes == 0 ? 0.0 : std::max(0.0, centre - half),
          successes == trials ? 1.0 : std::min(1.0, centre + half)};
}

McNemar mcnemar_test(Index only_first, Index only_second) {
  if (only_first < 0 || only_second < 0) {
    throw Error("McNemar's test counts probes; {} and {} are not both counts.", only_first,
                only_second);
  }
  McNemar result;
  result.only_first = only_first;
  result.only_second = only_second;
  const Index n = only_first + only_second;
  result.exact = n < kMcNemarExactBelow;
  if (result.exact) {
    result.p = std::min(1.0, 2.0 * fair_binomial_cdf(std::min(only_first, only_second), n));
  } else {
    const double difference = static_cast<double>(std::abs(only_first - only_second));
    const double corrected = std::max(0.0, difference - 1.0);
    // Chi-square with one degree of freedom is the square of a standard normal.
    result.p = 2.0 * upper_tail(corrected / std::sqrt(static_cast<double>(n)));
  }
  return result;
}

}  // namespace longshot
