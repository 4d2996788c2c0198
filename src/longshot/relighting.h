// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "longshot/picture.h"

namespace longshot::v0 {

// Where a distant light stands, in degrees.
struct Light {
  double azimuth = 0.0;    // towards the image's right, -90 to 90
  double elevation = 0.0;  // up, -90 to 90
  bool operator==(const Light&) const = default;
};

// "5", "9", "10" or "28" for the sets of docs/method.md, or a list such as "0:0,30:-20" of
// azimuth:elevation. Throws Error for anything else.
LONGSHOT_API std::vector<Light> parse_lights(std::string_view text);

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
  Light light;                               // of the photo
  double strength = 0.0;                     // of that light
  double ambient = 0.0;                      // of the light from everywhere beside it
  std::array<double, 3> source = {0, 0, 0};  // strength x direction: right, up, to the camera
  std::string estimate;                      // how it was found, in a word or two
  std::array<Plane, 3> normals;  // the mean face: (n + 1) / 2 to the right, up, to the camera
};

// A photographed face under other lights.
LONGSHOT_API Relit relight(const Picture& photo, const RelightRequest& request = {});

// Writes albedo.png, normals.png, light.json and relit_AZ_EL.png (whole degrees) into a folder,
// which is made if there is none. The brightest hundredth becomes white.
LONGSHOT_API void write_relit(const std::filesystem::path& folder, const Relit& relit);
// One picture with all of them, and below the same at a low resolution.
LONGSHOT_API void write_relit_sheet(const std::filesystem::path& path, const Relit& relit,
                                    Size low);

struct DegradeRequest {
  std::string op = "imresize";  // imresize, area, gauss or gauss:S
  double noise = 0.0;           // grey levels of 255
  std::uint64_t seed = 1;
  bool face = false;                    // cut out the face first; otherwise the whole picture
  std::filesystem::path detector = {};  // as above, for the face
};

// The picture at a low resolution.
LONGSHOT_API Plane degrade(const Picture& picture, Size size, const DegradeRequest& request = {});
// The same into a file, as write_plane() does.
LONGSHOT_API void write_degraded(const std::filesystem::path& path, const Picture& picture,
                                 Size size, const DegradeRequest& request = {});

}  // namespace longshot::v0
