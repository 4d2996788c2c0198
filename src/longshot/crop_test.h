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
  v0::Picture crop = v0::Picture::grey(pixels.data(), {face.rows(), face.cols()});
  crop.aligned = true;
  return crop;
}

}  // namespace longshot
