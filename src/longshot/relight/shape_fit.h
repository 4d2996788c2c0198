// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "longshot/relight/face_shape.h"
#include "longshot/relight/normal_map.h"

namespace longshot {

// A rectangle of Gaussians of one width, in face coordinates (unit: the distance between the eyes).
// Only x >= 0 is listed: a shape mirrors its terms.
struct ShapeGrid {
  double sigma = 0.3;    // of the Gaussians, 0.02 to 10
  double spacing = 0.3;  // of their centres, 0.02 to 10
  double right = 1.6;    // centres have 0 <= x <= right
  double bottom = -2.2;  // and bottom <= y <= top
  double top = 1.4;
};

struct ShapeFitOptions {
  // The Gaussians to choose from, coarse to fine: the head, its features, and what lies around
  // eyes, nose and mouth.
  std::vector<ShapeGrid> grids = {
      {0.80, 0.40, 1.60, -2.20, 1.40},
      {0.40, 0.20, 1.60, -2.20, 1.40},
      {0.20, 0.10, 1.20, -1.90, 0.80},
      {0.10, 0.05, 0.80, -1.40, 0.40},
  };
  Index most_terms = 120;  // at least 1: how many are chosen
  // Weight of the squared amplitudes against the mean squared error of the slopes, > 0.
  double ridge = 1e-4;
  // Normals with a smaller z are left out: their slopes say little. 0.01 to 1.
  double least_z = 0.15;

  void check() const;  // throws Error
};

// A measurement to fit: normals and how much each counts (pixels, >= 0).
struct WeightedNormals {
  NormalMap map;
  Vector weights;
};

struct ShapeFit {
  FaceShape shape;
  double mean_angle = 0.0;  // degrees between given and fitted normals, by the same weights
};

// Orthogonal matching pursuit with least squares on the slopes dz/dx = -nx / nz and dz/dy = -ny /
// nz, which are linear in the amplitudes. Weighted by nz^4 besides the given weights: an error of a
// normal is magnified by about 1 / nz^2 in its slope. Throws Error if fewer than 10 normals are
// usable.
ShapeFit fit_shape(std::span<const WeightedNormals> measurements,
                   const ShapeFitOptions& options = {});
// All pixels of the mask count alike.
ShapeFit fit_shape(const NormalMap& map, const ShapeFitOptions& options = {});

// The C++ source that makes this shape the built-in mean face (mean_face_terms.cc). Amplitudes are
// rounded to 4 digits after the point.
std::string mean_face_source(const FaceShape& shape);

}  // namespace longshot
