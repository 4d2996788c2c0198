// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/camera/camera.h"
#include "longshot/camera/person_images.h"

namespace longshot {

// Of a gallery's people so many, spread evenly, are relit; more do not make a better mean.
inline constexpr Index kCameraPeople = 100;

// Fewer crops teach nothing about a camera.
inline constexpr Index kFewestCameraCrops = 5;

// Of more crops so many, spread evenly, teach a camera: it is no better for more.
inline constexpr Index kMostCameraCrops = 300;

// The sharp faces with which crops of unknown people are compared, and how they are brought down.
struct CameraReference {
  FaceGeometry geometry;
  Matrix faces;      // N_H x m
  Index people = 0;  // enrolled
  Matrix photos;     // N_H x p, one of each of some of them
};

// `enrolled_high` (N_H x p) holds one photo of each of at most kCameraPeople of the `people` who
// are enrolled, `trained_high` (N_H x n, may be none) those of training people.
CameraReference make_camera_reference(const Extender& extender, const MatrixRef& trained_high,
                                      const MatrixRef& enrolled_high, Index people);

// Learns the camera of crops (pixels of the geometry's low resolution x n) of whomever they show.
// Of fewer than kFewestPeople crops or enrolled people no mean face is kept.
Camera learn_camera(const MatrixRef& crops, const CameraReference& reference);

}  // namespace longshot
