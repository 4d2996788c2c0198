// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// One-to-one comparison, in the terms of ISO/IEC 19795-1: a pair matches if distance <= threshold;
// FMR is the fraction of impostor pairs that match, FNMR that of genuine pairs that do not.

struct VerificationScores {
  Vector genuine;   // distances of probes to their own person
  Vector impostor;  // distances to everybody else; probes of people not enrolled give only these
};

// All pairs of `distances` (people x probes) and `truth` (probes), as described in ranking.h.
VerificationScores verification_scores(const MatrixRef& distances, std::span<const Index> truth);

struct OperatingPoint {
  double threshold = 0.0;
  double fmr = 0.0;
  double fnmr = 0.0;
};

// Every operating point that a threshold can reach, from the strictest (threshold -infinity: FMR 0,
// FNMR 1) to the laxest (FMR 1, FNMR 0), one per distinct distance, so that genuine and impostor
// pairs at the same distance change sides together. The ROC is (fmr, 1 - fnmr).
struct VerificationCurve {
  std::vector<OperatingPoint> points;
  Index genuine = 0;   // pairs behind the rates
  Index impostor = 0;  // likewise
};

// Throws Error if either kind of score is missing or one is not finite.
VerificationCurve verification_curve(const VectorRef& genuine, const VectorRef& impostor);

// Equal error rate: where the straight lines that join neighbouring operating points cross
// FMR = FNMR. A tie of genuine and impostor pairs is thus split evenly (as by a coin thrown at that
// distance); it is not the convex hull, so it never promises more than the curve.
double equal_error_rate(const VerificationCurve& curve);

// The point with the lowest FNMR among those with FMR <= fmr. Not interpolated: it is a threshold
// that exists. `fmr` is in [0, 1]; below 1 / impostors it stands for no false match at all.
OperatingPoint point_at_fmr(const VerificationCurve& curve, double fmr);

struct DetPoint {
  double fmr_deviate = 0.0;   // normal_quantile(fmr)
  double fnmr_deviate = 0.0;  // normal_quantile(fnmr)
};

// The curve on normal deviate axes (Martin et al., 1997, "The DET curve in assessment of detection
// task performance"). Rates are held at half an error from 0 and 1, which lie at infinity.
std::vector<DetPoint> det_points(const VerificationCurve& curve);

// At most `max_points` of the points, for plotting, the first and the last among them. They are
// chosen evenly along the DET curve, so that small error rates keep their detail on logarithmic
// axes. max_points >= 2. Rates are to be read from the whole curve.
VerificationCurve decimate(const VerificationCurve& curve, Index max_points);

}  // namespace longshot
