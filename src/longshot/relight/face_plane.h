// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/image/face_frame.h"

namespace longshot {

// Between places in a crop and places on the face. On the face the origin is midway between the eye
// centres, x runs from the image's left eye to its right eye, y is perpendicular to it and up, and
// the unit is the distance between the eyes in the scene (so a squeezed crop is unsqueezed here).
class FacePlane {
 public:
  explicit FacePlane(const FaceFrame& frame);

  Eigen::Vector2d on_face(Point fraction) const;   // of the crop's width and height, y down
  Point in_crop(const Eigen::Vector2d& at) const;  // fractions of the crop's width and height
  // Column 0 is the face's x axis, column 1 its y axis, in the scene's upright axes (x to the
  // image's right, y up). Vectors on the face turn into vectors of the scene by this matrix.
  const Eigen::Matrix2d& rotation() const { return rotation_; }

 private:
  Eigen::Matrix2d rotation_;
  Eigen::Vector2d middle_;  // of the eyes, in crop widths, y up
  double eye_distance_;     // in crop widths
  double aspect_;
};

// Of a pixel in a crop of this size, in fractions of its width and height.
Point pixel_centre(Index row, Index col, Size size);

// Whether a place lies within the outline of a face from hair line to chin, ears left out: an
// ellipse drawn around the mean head of ICT-FaceKit.
bool inside_face_outline(const Eigen::Vector2d& on_face);

}  // namespace longshot
