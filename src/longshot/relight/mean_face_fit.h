// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/relight/mean_face.h"
#include "longshot/relight/mesh_normals.h"
#include "longshot/relight/shape_fit.h"

namespace longshot {

// How the built-in mean face was made: the normals of people under known lights where they were
// photographed, an open head mesh around them, and a smooth head beyond. Weights are per area.
struct MeanFaceFitOptions {
  MeshViewOptions view;
  ShapeFitOptions shape;
  double mesh_around = 0.3;  // 0 or more: weight of the mesh where there are no photographs
  double mesh_within = 0.1;  // 0 or more: weight of the mesh where there are, against theirs of 1
  double beyond = 0.05;      // 0 or more: weight of a smooth continuation off the face

  void check() const;  // throws Error
};

ShapeFit fit_mean_face(const NormalMap& measured, const Mesh& mesh,
                       const MeanFaceFitOptions& options = {});
// From the mesh alone.
ShapeFit fit_mean_face(const Mesh& mesh, const MeanFaceFitOptions& options = {});

}  // namespace longshot
