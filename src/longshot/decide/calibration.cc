// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/calibration.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/LU>

#include "longshot/core/error.h"

namespace longshot {
namespace {

constexpr Index kSteps = 90;           // of the quantiles below it
constexpr Index kFewestInTail = 5;     // below that the tail begins earlier
constexpr double kSmallestGap = 1e-9;  // relative distance that counts as a perfect match
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// At `place` (0 .. n - 1) between the ascending values.
double interpolate(const VectorRef& values, double place) {
  const auto low = std::min(static_cast<Index>(place), values.size() - 1);
  const Index high = std::min(low + 1, values.size() - 1);
  const double part = place - static_cast<double>(low);
  return (1.0 - part) * values(low) + part * values(high);
}

Vector sorted(const VectorRef& values) {
  Vector result = values;
  std::sort(result.begin(), result.end());
  return result;
}

FrameGain gain_of(const Matrix& numbers) {
  if (numbers.size() != 5 || !numbers.allFinite() || !(numbers(0) >= 1.0) ||
      !(numbers(2) > 0.0 && numbers(2) <= 1.0)) {
    throw Error(ErrorKind::damaged,
                "The calibration of the gallery is damaged; refreshing the gallery repairs it.");
  }
  return {numbers(0), numbers(1), numbers(2), {numbers(3), numbers(4)}};
}

double probability(double x) {
  return 1.0 / (1.0 + std::exp(-x));
}

}  // namespace

double log_ratio(double distance, double nearest_other, double zero) {
  const double floor =
      kSmallestGap * std::max({std::abs(distance - zero), std::abs(nearest_other - zero), 1e-300});
  return std::log(std::max(nearest_other - zero, floor) / std::max(distance - zero, floor));
}

double ratio_zero(const MatrixRef& distances) {
  if (distances.size() < 1) throw Error("There are no scores to learn the zero of the ratio from.");
  if (!distances.allFinite()) {
    throw Error("One of the scores to learn the zero of the ratio from is not finite.");
  }
  return std::min(0.0, distances.minCoeff());
}

UpperTail::UpperTail(const VectorRef& values, double tail, double widened) {
  if (values.size() < 1) throw Error("There are no scores to calibrate with.");
  if (!values.allFinite()) throw Error("A score to calibrate with is not finite.");
  const Vector ascending = sorted(values);
  const auto count = static_cast<double>(ascending.size());
  tail_ = std::min(1.0, std::max(tail, static_cast<double>(kFewestInTail) / count));
  quantiles_.resize(kSteps + 1);
  for (Index i = 0; i <= kSteps; ++i) {
    const double fraction = (1.0 - tail_) * static_cast<double>(i) / static_cast<double>(kSteps);
    quantiles_(i) = interpolate(ascending, fraction * (count - 1.0));
  }
  const double begin = quantiles_(kSteps);
  double sum = 0.0;
  Index above = 0;
  for (Index i = ascending.size() - 1; i >= 0 && ascending(i) > begin; --i) {
    sum += ascending(i) - begin;
    ++above;
  }
  scale_ = above > 0 ? widened * sum / static_cast<double>(above) : 0.0;
}

double UpperTail::value_at(double rate) const {
  if (!(rate >= 0.0 && rate <= 1.0)) {
    throw Error("A rate of errors must lie between 0 and 1, not {}.", rate);
  }
  if (rate == 0.0) return kInfinity;
  if (rate == 1.0) return -kInfinity;
  if (rate <= tail_) return quantiles_(kSteps) + scale_ * std::log(tail_ / rate);
  return interpolate(quantiles_, (1.0 - rate) / (1.0 - tail_) * static_cast<double>(kSteps));
}

double UpperTail::rate_at(double value) const {
  if (value >= quantiles_(kSteps)) {
    if (scale_ == 0.0) return value > quantiles_(kSteps) ? 0.0 : tail_;
    return tail_ * std::exp(-(value - quantiles_(kSteps)) / scale_);
  }
  if (value < quantiles_(0)) return 1.0;
  const auto above = std::upper_bound(quantiles_.begin(), quantiles_.end(), value);
  const auto i = static_cast<Index>(above - quantiles_.begin()) - 1;
  const double gap = quantiles_(i + 1) - quantiles_(i);
  const double place = static_cast<double>(i) + (value - quantiles_(i)) / gap;
  return 1.0 - place / static_cast<double>(kSteps) * (1.0 - tail_);
}

UpperTail UpperTail::times(double factor) const {
  UpperTail other = *this;
  other.quantiles_ *= factor;
  other.scale_ *= factor;
  return other;
}

Matrix UpperTail::numbers() const {
  Matrix all(kSteps + 3, 1);
  all << quantiles_, tail_, scale_;
  return all;
}

UpperTail UpperTail::from_numbers(const MatrixRef& numbers) {
  if (numbers.rows() != kSteps + 3 || numbers.cols() != 1 || !numbers.allFinite()) {
    throw Error(ErrorKind::damaged,
                "The calibration of the gallery is damaged; refreshing the gallery repairs it.");
  }
  UpperTail tail;
  tail.quantiles_ = numbers.col(0).head(kSteps + 1);
  tail.tail_ = numbers(kSteps + 1, 0);
  tail.scale_ = numbers(kSteps + 2, 0);
  return tail;
}

double ScoreCurve::score(double log_ratio) const {
  return probability(slope * log_ratio + offset);
}

ScoreCurve fit_score_curve(const VectorRef& right, const VectorRef& wrong) {
  if (right.size() < 1 || wrong.size() < 1) {
    throw Error("Scores need probes of enrolled people and of others.");
  }
  const auto target = [](Index count) {
    return (static_cast<double>(count) + 1.0) / (static_cast<double>(count) + 2.0);
  };
  Eigen::Vector2d at = {1.0, 0.0};  // slope, offset
  for (int round = 0; round < 100; ++round) {
    Eigen::Vector2d gradient = Eigen::Vector2d::Zero();
    Eigen::Matrix2d hessian = 1e-9 * Eigen::Matrix2d::Identity();
    const auto add = [&](const VectorRef& values, double wanted) {
      const double weight = 1.0 / static_cast<double>(values.size());
      for (const double t : values) {
        const double p = probability(at(0) * t + at(1));
        const Eigen::Vector2d x = {t, 1.0};
        gradient += weight * (wanted - p) * x;
        hessian += weight * p * (1.0 - p) * x * x.transpose();
      }
    };
    add(right, target(right.size()));
    add(wrong, 1.0 - target(wrong.size()));
    Eigen::Vector2d step = hessian.inverse() * gradient;
    // Far from the solution Newton's step can overshoot without bound.
    if (step.norm() > 5.0) step *= 5.0 / step.norm();
    at += step;
    if (step.norm() < 1e-9) break;
  }
  // Where the right person is no nearer than a wrong one, scores must still fall with distance.
  return {std::max(at(0), 1e-3), at(1)};
}

double Calibration::known_above(double fpir) const {
  if (fpir < share) return strange.value_at(fpir / share);
  return fpir < 1.0 ? 0.0 : strange.value_at(fpir);
}

Calibration Calibration::for_frames(double frames) const {
  if (frames <= 1.0 || gain.frames <= 1.0) return *this;
  const double many = (1.0 - 1.0 / std::min(frames, gain.frames)) / (1.0 - 1.0 / gain.frames);
  const auto between = [&](double of_one, double of_many) {
    return of_one + many * (of_many - of_one);
  };
  Calibration fused = *this;
  fused.strange = strange.times(between(1.0, gain.strange));
  fused.curve = {between(curve.slope, gain.curve.slope), between(curve.offset, gain.curve.offset)};
  return fused;
}

ModelState Calibration::state() const {
  ModelState state;
  state.set_number("zero", zero);
  state.set_number("people", static_cast<double>(people));
  state.set("strange", strange.numbers());
  state.set("pairs", pairs.numbers());
  state.set_number("slope", curve.slope);
  state.set_number("offset", curve.offset);
  state.set_number("share", share);
  state.set("frame_gain",
            Vector{{gain.frames, gain.alike, gain.strange, gain.curve.slope, gain.curve.offset}});
  return state;
}

Calibration Calibration::from_state(const ModelState& state) {
  Calibration calibration;
  calibration.zero = state.number("zero");
  calibration.people = state.count("people", 0, Index{1} << 40);
  calibration.strange = UpperTail::from_numbers(state.matrix("strange"));
  calibration.pairs = UpperTail::from_numbers(state.matrix("pairs"));
  calibration.curve = {state.number("slope"), state.number("offset")};
  // The first ones did not have it.
  if (state.matrices().contains("share")) calibration.share = state.number("share");
  if (state.matrices().contains("frame_gain")) {
    calibration.gain = gain_of(state.matrix("frame_gain"));
  }
  if (!(calibration.share > 0.0 && calibration.share <= 1.0)) {
    throw Error("The calibration of the gallery is damaged: it has a share of {}.",
                calibration.share);
  }
  return calibration;
}

Calibration calibrate(const CalibrationScores& scores, double zero, Index people) {
  Calibration calibration;
  calibration.zero = zero;
  calibration.people = people;
  calibration.strange = UpperTail(scores.strange, scores.tail, scores.widened);
  calibration.pairs = UpperTail(scores.pairs);
  calibration.curve = fit_score_curve(scores.right, scores.strange);
  calibration.share = scores.share;
  calibration.gain = scores.gain;
  return calibration;
}

}  // namespace longshot
