// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "longshot/core/matrix.h"
#include "longshot/image/degrade.h"
#include "longshot/image/face_frame.h"
#include "longshot/relight/relight.h"

namespace longshot {

// How far a camera may lie from what is taken for it, one deviation each.
struct CameraError {
  double shift = 0.0;      // in widths and heights of the crop
  double log_scale = 0.0;  // of the magnification
  double log_blur = 0.0;   // of the blur
  double log_gamma = 0.0;  // of the tone curve
  double black = 0.0;      // of the black level, in units of the mean intensity
  double warp = 0.0;       // of single places of a face, as of the shift

  bool operator==(const CameraError&) const = default;
};

// How the faces of a problem look: all high-resolution images share a frame and a size, and probes
// show the same crop at the low resolution, brought there by the operator; or, through a camera,
// that crop as the camera frames it.
struct FaceGeometry {
  FaceFrame frame;
  Size high;
  Size low;
  DegradeOperator op;
  Registration registration = {};  // of faces seen by the camera
  double gamma = 1.0;              // the camera's greys are those of the photos to this power
  double noise = 0.0;              // of the camera, in units of the mean intensity; 0: not known
  CameraError error = {};          // beyond what methods expect anyway
  Vector tone = {};                // by which its crops were corrected (camera.h), or empty
};

// Photos (N_H x n) as a camera shows them, N_L x n: with that operator, and with the faces beside
// the place that the geometry says by `moved`.
Matrix seen_by_camera(const MatrixRef& photos_high, const FaceGeometry& geometry,
                      const DegradeOperator& op, const Registration& moved = {});

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
  Matrix degrade(const MatrixRef& images_high) const;

 private:
  std::shared_ptr<const Relighter> relighter_;
  FaceGeometry geometry_;
  Degrader degrader_;
};

}  // namespace longshot
