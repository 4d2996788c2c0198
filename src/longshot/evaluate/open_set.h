// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/decide/calibration.h"

namespace longshot {

// Open-set identification: is the person on a probe enrolled at all? A statistic of the probe's
// distances says so, higher meaning more likely enrolled; the decision is "known" if it lies
// strictly above a threshold. s1 <= s2 <= ... are the probe's distances in ascending order.
enum class OpenSetStatistic {
  kRatio,     // 1 - max(0, s1 - zero) / (s2 - zero) in [0, 1]; 0 if s2 <= zero. Needs two people.
  kMargin,    // s2 - s1 >= 0. Needs two people.
  kAbsolute,  // -s1. Needs one person.
  kTestNorm,  // (mean - s1) / deviation >= 0 of the people other than the best. Needs three.
};

// On the ratio. A quotient has a meaning only on a scale with a zero, here the distance of a
// perfect match. Residuals and other distances >= 0 have theirs at 0. Scores that can be negative,
// such as sums of standardised scores, have none of their own, and the quotient of two negative
// numbers turns the order round; so their zero must be given: one constant per method and
// resolution, learnt from calibration scores (ratio_zero), never from the probe at hand, whose s1 -
// min(s) would be 0 always. What lies at or below the zero counts as perfect. So defined, the
// statistic never falls when s1 improves or s2 worsens and does not change with the unit of the
// distances; a zero set too high makes probes equal at 1, which no threshold at a low FPIR lets
// through: it errs to "unknown".
struct OpenSetOptions {
  OpenSetStatistic statistic = OpenSetStatistic::kRatio;
  double zero = 0.0;  // in units of the distances, finite; used by kRatio only

  void check() const;
};

// The statistic of one probe from its distances to all people (people). Throws Error if there are
// fewer people than the statistic needs or a distance is not finite.
double open_set_statistic(const VectorRef& distances, const OpenSetOptions& options = {});

struct OpenSetThreshold {
  double threshold = 0.0;  // -infinity where every probe may pass
  double fpir = 0.0;       // fraction of the statistics above it, at most what was asked for
  Index impostors = 0;     // statistics it was set from; below 1 / fpir it cannot be trusted
};

// The lowest threshold that at most a fraction `fpir` (in [0, 1]) of the statistics of probes of
// people not enrolled exceed. Throws Error if there are none or one is not finite.
OpenSetThreshold threshold_at_fpir(const VectorRef& impostor_statistics, double fpir);

// The fraction of those statistics that lie above a threshold.
double fpir_at_threshold(const VectorRef& impostor_statistics, double threshold);

// What the open-set rates are computed from, once for all thresholds.
struct OpenSetScores {
  Vector known;              // statistics of the probes of enrolled people, in probe order
  std::vector<bool> ranked;  // as many: is the true person first, ties counting against it?
  Vector unknown;            // statistics of the probes of people not enrolled, in probe order
};

// `distances` (people x probes) and `truth` (probes) as described in ranking.h.
OpenSetScores open_set_scores(const MatrixRef& distances, std::span<const Index> truth,
                              const OpenSetOptions& options = {});

// Appends the scores of another run, so that a threshold is common to all runs.
void append(OpenSetScores& scores, const OpenSetScores& more);

struct OpenSetRates {
  double threshold = 0.0;
  double dir = 0.0;   // enrolled probes ranked first and above the threshold, of all enrolled
  double fpir = 0.0;  // probes of people not enrolled above the threshold, of all of these
};

// Detection and identification rate at a false positive identification rate (Grother and Ngan, NIST
// IR 8009): the threshold is set on the unknown probes themselves, as published figures do.
// At fpir 1 it is the rank-one rate. Throws Error if either kind of probe is missing.
OpenSetRates rates_at_fpir(const OpenSetScores& scores, double fpir);

// The same at a threshold that was set on other people, as in use.
OpenSetRates rates_at_threshold(const OpenSetScores& scores, double threshold);

}  // namespace longshot
