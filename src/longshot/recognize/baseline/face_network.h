// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"

namespace longshot {

// A neural network that turns aligned faces into vectors to be compared by their angle: an ONNX
// file with input n x 3 x 112 x 112, channels of mean 0 and deviation 1, and the eyes at
// (38.3, 51.7) and (73.5, 51.5). May be used from any thread. Remembers the last few thousand
// faces.
class FaceNetwork {
 public:
  // Throws Error if the file cannot be read or is not such a network.
  explicit FaceNetwork(const std::filesystem::path& file);
  ~FaceNetwork();

  // Of grey crops, one per column, that show `frame` at `size`: k x n, columns of unit norm.
  Matrix embed(const MatrixRef& crops, const FaceFrame& frame, Size size) const;

  Index dimensions() const { return dimensions_; }

 private:
  struct Network;
  Matrix forward(const Matrix& inputs) const;  // 112 * 112 x n

  std::unique_ptr<Network> network_;
  Index dimensions_ = 0;
};

}  // namespace longshot
