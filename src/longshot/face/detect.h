// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "longshot/image/image.h"

namespace cv {
class Mat;
}

namespace longshot {

// What a detector takes for a face, before anybody has judged it.
struct FaceProposal {
  Eyes eyes;
  bool eyes_found = false;  // false: `eyes` is where they usually are in its box
  double support = 1.0;     // comparable within one detector only, larger is surer
};

// Widths of the boxes that a detector looks for in one image, pixels.
struct BoxRange {
  double least = 0.0;
  double most = 0.0;
};

// Proposes upright, roughly frontal faces in a part of an image that is neither large nor small.
// Safe to share among threads.
class FaceDetector {
 public:
  virtual ~FaceDetector() = default;
  // Of grey bytes, in a fixed order. `again`: nothing was found before, so look harder.
  virtual std::vector<FaceProposal> propose(const cv::Mat& grey, BoxRange widths,
                                            bool again) const = 0;
  // Width below which it misses faces, pixels: smaller ones are to be enlarged.
  virtual double least_width() const = 0;
  virtual std::string name() const = 0;
};

// A YuNet network in ONNX form; throws Error if the file cannot be used.
std::unique_ptr<FaceDetector> make_yunet_detector(const std::filesystem::path& model);

// The Haar cascades of Debian's opencv-data, or of `folder`; throws Error if they are not there.
std::unique_ptr<FaceDetector> make_haar_detector(const std::filesystem::path& folder = {});

}  // namespace longshot
