// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/detect.h"

#include <algorithm>
#include <tuple>

namespace longshot {

void sort_faces(std::vector<DetectedFace>& faces) {
  const auto importance = [](const DetectedFace& face) {
    return std::make_tuple(face.eyes_found, face.box.width * face.box.height);
  };
  std::stable_sort(faces.begin(), faces.end(), [&](const DetectedFace& a, const DetectedFace& b) {
    return importance(a) > importance(b);
  });
}

}  // namespace longshot
