// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/core/matrix.h"
#include "longshot/recognize/model_state.h"

namespace longshot {

// What the distances of a probe mean. Everything rests on one statistic of a probe and a person,
//   t = log((s' - zero) / (s - zero)),
// s the distance to that person and s' that to the nearest other one. For the nearest person it is
// the ratio of evaluate/open_set.h in another scale (1 - exp(-t)), for all others it is negative.
// Its distribution over people who are not enrolled gives thresholds at stated error rates.

double log_ratio(double distance, double nearest_other, double zero);

// A zero for the ratio from calibration distances (people x probes): their lowest, but 0 where none
// is negative, so that true distances keep their natural zero.
double ratio_zero(const MatrixRef& distances);

// Values at stated rates of exceeding: quantiles, and beyond the last of them an exponential tail,
// fitted to the excesses over its beginning (peaks over a threshold, Pickands 1975, with shape 0),
// so that rates of 1 % and less do not hang on one or two values.
class UpperTail {
 public:
  UpperTail() = default;
  // `tail` is the fraction of the values that the exponential describes, in (0, 1]; more where that
  // would be fewer than 5 of them, and `widened` a factor of its scale. Throws Error for no values
  // and for values that are not finite.
  explicit UpperTail(const VectorRef& values, double tail = 0.1, double widened = 1.0);

  // The value that a fraction `rate` (in [0, 1]) exceeds; infinity for 0, -infinity for 1.
  double value_at(double rate) const;
  // The fraction that exceeds the value; the inverse where value_at() is strictly monotone.
  double rate_at(double value) const;

  UpperTail times(double factor) const;  // of values that are all so many times as large, > 0

  Matrix numbers() const;  // all of it, one column
  static UpperTail from_numbers(const MatrixRef& numbers);

 private:
  Vector quantiles_;    // at even steps of the cumulative probability from 0 to 1 - tail_
  double tail_ = 0.0;   // fraction beyond the last quantile
  double scale_ = 0.0;  // of the exponential
};

// P(right) = 1 / (1 + exp(-(slope t + offset))), for as many right as wrong ones.
struct ScoreCurve {
  double slope = 1.0;  // > 0
  double offset = 0.0;

  double score(double log_ratio) const;
};

// Maximum likelihood with equal weight for both kinds, smoothed as by Platt (1999) so that kinds
// that do not overlap give a finite slope. Throws Error if either is missing.
ScoreCurve fit_score_curve(const VectorRef& right, const VectorRef& wrong);

// What several frames of one person add (frame_gain.h).
struct FrameGain {
  double frames = 1.0;   // independent ones that it was learnt from; 1: nothing was learnt
  double alike = 0.0;    // mean correlation of their distances to others
  double strange = 1.0;  // factor of the log ratios of strangers, in (0, 1]
  ScoreCurve curve;      // for so many frames
};

struct CalibrationScores {
  Vector right;        // log ratios of the right person
  Vector strange;      // of the nearest of all, the background among them, for probes of strangers
  Vector pairs;        // of any one person, for probes of others
  double share = 1.0;  // of the strangers who are nearest to somebody enrolled, in (0, 1]
  double tail = 0.1;   // fraction of `strange` that an exponential describes, in (0, 1]
  double widened = 1.0;  // factor of the excesses of that exponential, > 0
  FrameGain gain;
};

struct Calibration {
  double zero = 0.0;  // distance of a perfect match
  Index people = 0;   // enrolled when it was made
  UpperTail strange;
  UpperTail pairs;
  ScoreCurve curve;
  double share = 1.0;  // as of the scores
  FrameGain gain;

  // The same for the mean distances of so many independent frames, >= 1. Thresholds and scores lie
  // between those of one frame and of gain.frames as the variance of a mean does, by 1 / frames.
  Calibration for_frames(double frames) const;
  // Strangers who are nearest to a background person are nobody's, so only the others can be false
  // positives.
  double known_above(double fpir) const;
  double match_above(double fmr) const { return pairs.value_at(fmr); }
  double score(double ratio) const { return curve.score(ratio); }

  ModelState state() const;
  static Calibration from_state(const ModelState& state);
};

Calibration calibrate(const CalibrationScores& scores, double zero, Index people);

}  // namespace longshot
