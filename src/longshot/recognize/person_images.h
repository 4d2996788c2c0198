// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/image/degrade.h"
#include "longshot/image/face_frame.h"
#include "longshot/relight/relight.h"

namespace longshot {

// How the faces of a problem look: all high-resolution images share a frame and a size, and probes
// show the same crop at the low resolution, brought there by the operator.
struct FaceGeometry {
  FaceFrame frame;
  Size high;
  Size low;
  DegradeOperator op;
};

// All that a method may use of one person: the photos, and the photos under other lights, each at
// both resolutions. One image per column.
struct PersonImages {
  Matrix photos_high;  // N_H x p
  Matrix photos_low;   // N_L x p
  Matrix relit_high;   // N_H x m
  Matrix relit_low;    // N_L x m
};

// Relights and degrades. Depends on no other person.
class Extender {
 public:
  // `relighter` must be made for the frame and the high resolution of the geometry.
  Extender(std::shared_ptr<const Relighter> relighter, const FaceGeometry& geometry);

  const FaceGeometry& geometry() const { return geometry_; }
  // Of the columns of one photo's relit set.
  const std::vector<RelitLabel>& labels() const { return relighter_->labels(); }
  // Of one photo's relit set.
  Index images_per_photo() const { return static_cast<Index>(relighter_->labels().size()); }
  Matrix relit(const MatrixRef& photos_high) const;  // N_H x p -> N_H x m, all photos' relit sets
  PersonImages extend(const MatrixRef& photos_high) const;
  // The same from a relit set that was kept, as relighting does not depend on the low resolution.
  PersonImages extend(const MatrixRef& photos_high, const MatrixRef& relit_high) const;
  Matrix degrade(const MatrixRef& images_high) const {
    return degrader_.apply_columns(images_high);
  }
  // With the faces beside their place.
  Matrix degrade(const MatrixRef& images_high, const Registration& registration) const {
    return Degrader(geometry_.op, geometry_.high, geometry_.low, registration)
        .apply_columns(images_high);
  }

 private:
  std::shared_ptr<const Relighter> relighter_;
  FaceGeometry geometry_;
  Degrader degrader_;
};

}  // namespace longshot
