// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/image.h"

namespace longshot {

// Where a face is expected and how large, from where it was: a Kalman filter of constant velocity
// for its place and of constant size, in widths of the face, so that near and far are alike.
class FaceMotion {
 public:
  FaceMotion(const Box& box, double seconds);

  // How far a box lies from what is expected, in usual deviations.
  struct Surprise {
    double place = 0.0;  // both directions together, >= 0
    double size = 0.0;   // either sign: larger or smaller
  };
  Surprise surprise(const Box& box, double seconds) const;
  // Takes the box for the face, at a later time.
  void update(const Box& box, double seconds);

  // Deviation of the place that is expected, in widths: from 1 on it is a guess.
  double uncertainty(double seconds) const;
  Point speed() const { return speed_; }       // pixels a second
  double seconds() const { return seconds_; }  // when the face was last seen

 private:
  // Of one direction, in widths and seconds.
  struct Covariance {
    double place = 0.0;
    double both = 0.0;
    double speed = 0.0;
  };
  Covariance predicted(double gap) const;

  Point centre_;
  Point speed_;  // pixels a second
  Covariance covariance_;
  double log_width_ = 0.0;
  double width_variance_ = 0.0;
  double seconds_ = 0.0;
};

}  // namespace longshot
