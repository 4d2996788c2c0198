// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "longshot/image/face_frame.h"

namespace longshot {

// Reads {"aligned": true, "eyes": [lx, ly, rx, ry]}, eyes as fractions of width and height; without
// eyes they are those of our canonical frame, and nothing is returned for "aligned": false. An
// optional "aspect" (height over width of what the crop shows) is for crops whose pixels are not
// square; otherwise the aspect is kSquarePixels. Other keys are passed over. Throws Error for
// anything else.
std::optional<FaceFrame> read_dataset_json(const std::filesystem::path& file);

// What the nearest dataset.json says: in the folder itself or up to two levels above it, so that
// one person's folder, or a session in it, is read like the set that it belongs to. `otherwise`
// where there is none.
std::optional<FaceFrame> aligned_frame(const std::filesystem::path& folder,
                                       const std::optional<FaceFrame>& otherwise = std::nullopt);

}  // namespace longshot
