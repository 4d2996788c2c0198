// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

// Coordinates of a face shape: the origin is midway between the eye centres, x to the image's
// right, y up, z towards the camera, all in units of the distance between the eyes.

// One symmetric term of a height field:
//   a (exp(-((x - x0)^2 + (y - y0)^2) / (2 s^2)) + the same mirrored, with -x0),
// the second part only where x0 is not 0.
struct ShapeTerm {
  double amplitude = 0.0;
  double x0 = 0.0;
  double y0 = 0.0;
  double sigma = 1.0;
};

struct HeightAndSlope {
  double height = 0.0;
  double slope_x = 0.0;  // dz/dx
  double slope_y = 0.0;  // dz/dy, y up
};

// What one term adds at a point, its mirror image included.
HeightAndSlope evaluate(const ShapeTerm& term, double x, double y);

// A left-right symmetric face as a sum of Gaussians: height and slopes are exact at any point.
class FaceShape {
 public:
  explicit FaceShape(std::vector<ShapeTerm> terms) : terms_(std::move(terms)) {}
  HeightAndSlope at(double x, double y) const;
  const std::vector<ShapeTerm>& terms() const { return terms_; }

 private:
  std::vector<ShapeTerm> terms_;
};

// The mean face that ships with longshot.
const FaceShape& mean_face_shape();

}  // namespace longshot
