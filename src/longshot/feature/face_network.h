// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include "longshot/core/matrix.h"
#include "longshot/image/face_frame.h"
#include "longshot/image/shift.h"

namespace longshot {

// A neural network that turns aligned faces into vectors to be compared by their angle: an ONNX
// file whose input is n x 3 x 112 x 112 with the eyes at (38.3, 51.7) and (73.5, 51.5), or n x 3 x
// 224 x 224 with the eyes at (74, 89.5) and (149, 89.5); channels of mean 0 and deviation 1. May be
// used from any thread. Remembers the last few thousand faces.
class FaceNetwork {
 public:
  // Throws Error if the file cannot be read or is not such a network.
  explicit FaceNetwork(const std::filesystem::path& file);
  ~FaceNetwork();

  // Of grey crops, one per column, that show `frame` at `size`, their faces beside its place by
  // `registration`: k x n, columns of unit norm.
  Matrix embed(const MatrixRef& crops, const FaceFrame& frame, Size size,
               const Registration& registration = {}) const;

  Index dimensions() const { return dimensions_; }
  std::uint32_t checksum() const { return checksum_; }  // CRC-32 of the file

 private:
  struct Network;
  Matrix forward(const Matrix& inputs) const;  // side^2 x n
  bool takes(Index side);                      // then it is so set up

  std::unique_ptr<Network> network_;
  Index side_ = 0;  // of its pictures
  Index dimensions_ = 0;
  std::uint32_t checksum_ = 0;
};

// The file that scripts/install-network has made: the one that LONGSHOT_FACE_NETWORK names (none if
// that is empty), otherwise longshot/face_network.onnx in the user's folder of data.
std::optional<std::filesystem::path> installed_face_network_file();

// It, read once; null where there is none. Throws Error if it cannot be used.
std::shared_ptr<const FaceNetwork> installed_face_network();

}  // namespace longshot
