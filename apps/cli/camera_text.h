// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "longshot/camera.h"

namespace longshot::cli {

// Fewer crops than that say too little about a camera (docs/results.md).
inline constexpr std::ptrdiff_t kEnoughCrops = 20;

// Why identify has learnt none although it was asked to.
inline constexpr const char* kNoCamera =
    "camera: none is learnt from fewer than 5 crops of a size, nor for a gallery that is "
    "write-protected, without photos or very large; --camera FILE takes one";

// --camera is a file, not "auto", "none" or nothing.
bool names_a_camera(const std::string& argument);

// Says on stderr, one line each, what was learnt of cameras and how sure that is.
void report_cameras(const std::vector<v0::Camera>& cameras);

}  // namespace longshot::cli
