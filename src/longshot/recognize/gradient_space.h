// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "longshot/camera/person_images.h"
#include "longshot/feature/gradient_orientations.h"
#include "longshot/feature/life_table.h"
#include "longshot/recognize/model_state.h"

namespace longshot {

// Low-resolution images -> coordinates of their gradients in which photographs of one person that
// were taken on different days differ by I, and people by diag(between()): what plda.h compares.
class GradientSpace {
 public:
  GradientSpace() = default;
  // For images of the geometry, with the entry of the table for their size. What a tight crop does
  // not show is taken to be as in the mean face.
  GradientSpace(const FaceGeometry& geometry, const LifeTable& table);

  // N x n -> d x n. A flat image has the coordinates 0.
  Matrix coordinates(const MatrixRef& images) const;
  Index pixels() const { return size_.pixels(); }
  const Vector& between() const { return between_; }

  void save(ModelState& state, const std::string& name) const;
  static GradientSpace load(const ModelState& state, const std::string& name);

 private:
  void prepare();

  // What is kept of it.
  GradientOptions options_;
  Size size_;
  FaceFrame frame_;
  Registration registration_;
  Matrix projection_;  // d x D
  Vector offset_;      // d
  Vector between_;     // d

  std::shared_ptr<const GradientOrientations> gradients_;  // of these
};

}  // namespace longshot
