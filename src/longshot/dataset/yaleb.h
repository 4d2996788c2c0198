// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "longshot/dataset/dataset.h"

namespace longshot {

// Where the flash stood, in degrees: azimuth positive towards the image's left, elevation upwards.
// With x to the right, y up and z to the camera the light comes from
// (-sin A cos E, sin E, cos A cos E).
struct FlashAngles {
  double azimuth = 0.0;
  double elevation = 0.0;
  bool operator==(const FlashAngles&) const = default;
};

// "A+035E+15" -> (35, 15); nothing for "Ambient" and other conditions.
std::optional<FlashAngles> parse_flash_angles(std::string_view condition);

// The Extended Yale Face Database B: yaleBNN_PppA+aaaE+ee.pgm in folders yaleBNN or in one folder.
// The subject is "yaleBNN", the condition "A+aaaE+ee" or "Ambient", with the pose "Ppp" before it
// unless that is the frontal 00. Without a dataset.json upright images are taken to be the cropped
// version of the set (192x168), in which all faces lie alike; photographs in landscape are not.
Dataset read_yaleb(const std::filesystem::path& root);

// True if an image of the folder, or of a folder in it, is named like that.
bool is_yaleb(const std::filesystem::path& root);

}  // namespace longshot
