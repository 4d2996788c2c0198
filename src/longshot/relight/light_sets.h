// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numbers>
#include <string_view>
#include <vector>

#include "longshot/core/matrix.h"

namespace longshot {

inline constexpr double kRadians = std::numbers::pi / 180.0;  // in a degree

// Where a distant light stands, in degrees: azimuth towards the image's right, elevation up.
struct LightDirection {
  double azimuth = 0.0;    // -90 .. 90
  double elevation = 0.0;  // -90 .. 90
  bool operator==(const LightDirection&) const = default;
};

// The unit vector towards the light: x to the image's right, y up, z towards the camera.
Eigen::Vector3d unit_vector(LightDirection light);
// The inverse, for any vector that is not 0; (0, 0) for the zero vector.
LightDirection light_direction(const Eigen::Vector3d& vector);
// The same light in the mirror.
LightDirection mirrored(LightDirection light);

// The nine points of light (Lee, Ho and Kriegman, PAMI 2005), whose images nearly span all images
// of a face under distant light. Whole degrees.
std::vector<LightDirection> nine_points_of_light();
// Five lights for a gallery that is extended with flips, which supply the negative azimuths.
std::vector<LightDirection> five_lights();
// Ten lights for a gallery that is extended with flips.
std::vector<LightDirection> ten_lights();
// 28 lights: azimuth -75 .. 75 by 25 at the elevations -30, 0, 30 and 60.
std::vector<LightDirection> grid_lights();

// Unit vectors that cover the hemisphere before the face, left-right symmetric: the candidates of
// estimate_several_lights. 3 x 31.
Matrix hemisphere_directions();

// "5", "9", "10", "28", or a list such as "0:0,30:-20" of azimuth:elevation. Throws Error for
// anything else, for angles beyond 90 degrees and for more than 1000 lights.
std::vector<LightDirection> parse_lights(std::string_view text);

}  // namespace longshot
