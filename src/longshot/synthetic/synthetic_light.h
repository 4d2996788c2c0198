// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <Eigen/Core>

#include "longshot/core/random.h"
#include "longshot/synthetic/synthetic_surface.h"

namespace longshot {

// One distant lamp. Azimuth turns to the image's right, elevation up, both from the camera's axis.
struct SyntheticLight {
  double azimuth = 0.0;    // degrees, -180 to 180
  double elevation = 0.0;  // degrees, -90 to 90
  double strength = 1.0;   // 0 or more
};

struct SyntheticLighting {
  std::vector<SyntheticLight> lights;
  double ambient = 0.2;  // light from everywhere, 0 or more

  // Throws Error, naming the field, unless all is in range and there is some light.
  void check() const;
};

// (cos el sin az, sin el, cos el cos az).
Eigen::Vector3d direction_of(const SyntheticLight& light);

// A lamp near the camera, as for a gallery photo.
SyntheticLighting frontal_lighting();

// A main lamp anywhere up to `spread` degrees from the camera's axis (more often above the head
// than below), up to two weaker ones, and some ambient light.
SyntheticLighting random_lighting(Random& random, double spread = 60.0);

// What part of a lamp in this direction (unit length, in the coordinates of the surface) each cell
// sees past the others: 1 in the light, 0 in a cast shadow, between them in the penumbra.
Plane unshadowed(const Plane& height, double pitch, const Eigen::Vector3d& direction);

// Radiance of the surface: Lambertian, with cast shadows, ambient light and a weak highlight.
// The rotation takes the camera's axes, in which lights are given, to the surface's.
Plane shade(const FaceSurface& surface, double pitch, const SyntheticLighting& lighting,
            const Eigen::Matrix3d& surface_from_camera);

}  // namespace longshot
