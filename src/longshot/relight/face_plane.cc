// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/face_plane.h"

namespace longshot {

FacePlane::FacePlane(const FaceFrame& frame) : aspect_(frame.aspect) {
  frame.check();
  const auto upright = [&](const Point& p) -> Eigen::Vector2d { return {p.x, -aspect_ * p.y}; };
  const Eigen::Vector2d left = upright(frame.eyes.left);
  const Eigen::Vector2d right = upright(frame.eyes.right);
  middle_ = 0.5 * (left + right);
  eye_distance_ = (right - left).norm();
  const Eigen::Vector2d along = (right - left) / eye_distance_;
  rotation_ << along.x(), -along.y(), along.y(), along.x();
}

Eigen::Vector2d FacePlane::on_face(Point fraction) const {
  const Eigen::Vector2d upright(fraction.x, -aspect_ * fraction.y);
  return rotation_.transpose() * (upright - middle_) / eye_distance_;
}

Point FacePlane::in_crop(const Eigen::Vector2d& at) const {
  const Eigen::Vector2d upright = middle_ + eye_distance_ * (rotation_ * at);
  return {upright.x(), -upright.y() / aspect_};
}

Point pixel_centre(Index row, Index col, Size size) {
  return {(static_cast<double>(col) + 0.5) / static_cast<double>(size.cols),
          (static_cast<double>(row) + 0.5) / static_cast<double>(size.rows)};
}

bool inside_face_outline(const Eigen::Vector2d& on_face) {
  const double x = on_face.x() / 1.15;
  const double y = (on_face.y() + 0.40) / 1.42;
  return x * x + y * y < 1.0;
}

}  // namespace longshot
