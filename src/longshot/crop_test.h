// SPDX-License-Identifier: Apache-2.0
#pragma once

// For tests: faces as a caller has them, as bytes in memory.

#include <cstdint>
#include <vector>

#include "longshot/door.h"
#include "longshot/pipeline/training_faces.h"

namespace longshot {

inline v0::Picture crop_of(const Image& face) {
  const std::vector<std::uint8_t> pixels = grey_levels(face.transpose().reshaped());
  return v0::Picture::crop(pixels.data(), {face.rows(), face.cols()});
}

}  // namespace longshot
