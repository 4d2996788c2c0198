// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "longshot/image/image.h"

namespace longshot {

struct DetectedFace {
  Box box;
  Eyes eyes;
  bool eyes_found = false;  // false: the eyes were not seen, `eyes` is where they usually are
  double confidence = 0.0;  // comparable within one detector only
};

// Finds upright, roughly frontal faces of at least about 40 pixels. Safe to share among threads.
class FaceDetector {
 public:
  virtual ~FaceDetector() = default;
  // Faces whose eyes were seen first, larger before smaller; empty if there is none.
  virtual std::vector<DetectedFace> detect(const Image& photo) const = 0;
  virtual std::string name() const = 0;
};

// The order in which detect() returns faces.
void sort_faces(std::vector<DetectedFace>& faces);

// A YuNet network in ONNX form; throws Error if the file cannot be used.
std::unique_ptr<FaceDetector> make_yunet_detector(const std::filesystem::path& model);

// The Haar cascades of Debian's opencv-data, or of `folder`; throws Error if they are not there.
std::unique_ptr<FaceDetector> make_haar_detector(const std::filesystem::path& folder = {});

}  // namespace longshot
