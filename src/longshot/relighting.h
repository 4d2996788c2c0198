// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "longshot/picture.h"

namespace longshot::v0 {

// Where a distant light stands, in degrees.
struct Light {
  double azimuth = 0.0;    // towards the image's right, -90 to 90
  double elevation = 0.0;  // up, -90 to 90
  bool operator==(const Light&) const = default;
};

struct RelightRequest {
  Size size = {48, 40};       // of the face to make
  std::vector<Light> lights;  // none: the nine points of light
  double ambient = 0.0;       // light from everywhere, in units of the light's strength, 0 to 10
  std::filesystem::path detector;  // a YuNet model; empty: the Haar cascades of the system
};

struct Relit {
  Plane face;                 // as it was cut out
  Plane albedo;               // on no scale of its own
  std::vector<Plane> images;  // one per light, on the face's scale
  std::vector<Light> lights;
  Light light;  // of the photo
};

// A photographed face under other lights.
LONGSHOT_API Relit relight(const Picture& photo, const RelightRequest& request = {});

struct DegradeRequest {
  std::string op = "imresize";  // imresize, area, gauss or gauss:S
  double noise = 0.0;           // grey levels of 255
  std::uint64_t seed = 1;
};

// The whole picture at a low resolution.
LONGSHOT_API Plane degrade(const Picture& picture, Size size, const DegradeRequest& request = {});

}  // namespace longshot::v0
