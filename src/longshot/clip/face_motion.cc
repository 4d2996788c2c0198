// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/face_motion.h"

#include <cassert>
#include <cmath>

namespace longshot {
namespace {

// Deviations, in widths of a face and seconds. Walking heads nod, which counts as error of place.
constexpr double kPlaceError = 0.2;
constexpr double kWidthError = 0.15;     // of the logarithm
constexpr double kFirstSpeed = 5.0;      // before anything is known about it
constexpr double kSpeedChange = 1.0;     // within a second
constexpr double kWidthChange = 0.3;     // of the logarithm, within a second
constexpr double kFarWidthChange = 0.1;  // and steadily, per second: somebody approaches

Point centre_of(const Box& box) {
  return {box.x + 0.5 * box.width, box.y + 0.5 * box.height};
}

double square(double value) {
  return value * value;
}

double width_variance_after(double variance, double gap) {
  return variance + square(kWidthChange) * gap + square(kFarWidthChange * gap);
}

}  // namespace

FaceMotion::FaceMotion(const Box& box, double seconds)
    : centre_(centre_of(box)),
      covariance_{square(kPlaceError), 0.0, square(kFirstSpeed)},
      log_width_(std::log(box.width)),
      width_variance_(square(kWidthError)),
      seconds_(seconds) {}

FaceMotion::Covariance FaceMotion::predicted(double gap) const {
  const double change = square(kSpeedChange);
  return {covariance_.place + 2.0 * gap * covariance_.both + gap * gap * covariance_.speed +
              change * gap * gap * gap / 3.0,
          covariance_.both + gap * covariance_.speed + change * gap * gap / 2.0,
          covariance_.speed + change * gap};
}

FaceMotion::Surprise FaceMotion::surprise(const Box& box, double seconds) const {
  const double gap = seconds - seconds_;
  const Point at = centre_of(box);
  const double off =
      std::hypot(at.x - centre_.x - gap * speed_.x, at.y - centre_.y - gap * speed_.y) /
      std::exp(log_width_);
  const double size = std::log(box.width) - log_width_;
  return {off / std::sqrt(predicted(gap).place + square(kPlaceError)),
          size / std::sqrt(width_variance_after(width_variance_, gap) + square(kWidthError))};
}

double FaceMotion::uncertainty(double seconds) const {
  return std::sqrt(predicted(seconds - seconds_).place);
}

void FaceMotion::update(const Box& box, double seconds) {
  assert(seconds > seconds_);
  const double gap = seconds - seconds_;
  const Covariance before = predicted(gap);
  const double place_gain = before.place / (before.place + square(kPlaceError));
  const double speed_gain = before.both / (before.place + square(kPlaceError));
  const Point at = centre_of(box);
  const Point expected = {centre_.x + gap * speed_.x, centre_.y + gap * speed_.y};
  centre_ = {expected.x + place_gain * (at.x - expected.x),
             expected.y + place_gain * (at.y - expected.y)};
  speed_.x += speed_gain * (at.x - expected.x);
  speed_.y += speed_gain * (at.y - expected.y);
  covariance_ = {(1.0 - place_gain) * before.place, (1.0 - place_gain) * before.both,
                 before.speed - speed_gain * before.both};
  const double wide = width_variance_after(width_variance_, gap);
  const double width_gain = wide / (wide + square(kWidthError));
  log_width_ += width_gain * (std::log(box.width) - log_width_);
  width_variance_ = (1.0 - width_gain) * wide;
  seconds_ = seconds;
}

}  // namespace longshot
