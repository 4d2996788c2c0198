// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "longshot/feature/convolution.h"
#include "longshot/feature/face_grid.h"

namespace longshot {

// A network of convolutions over one grey image, read from a weight file of training/
// (docs/formats.md, "What training has written"). Layers with weights of 8 bits behind a rectified
// one multiply whole numbers, the others are of single precision. An image has the same values in
// every batch and on any number of threads.
class ConvolutionNetwork {
 public:
  // Throws Error for bytes that are no such file.
  explicit ConvolutionNetwork(std::string_view bytes);

  Size grid() const { return grid_; }  // of the images
  Index dimensions() const { return dimensions_; }
  // CRC-32 of the file: what one network says means nothing to another.
  std::uint32_t checksum() const { return checksum_; }
  // Any number of images, row after row of the grid (grid pixels x n) -> dimensions() x n.
  MatrixF forward(const MatrixF& images) const;
  // What it says of a face on the grid and of its mirror image, both brought to mean 0 and
  // deviation 1 without outliers: dimensions() x 2. Nothing for a flat image.
  std::optional<Matrix> see(Matrix face) const;

 private:
  struct Layer {
    std::variant<Convolution, WholeConvolution> convolution;
    Size size;            // of its output
    std::uint32_t flags;  // what is done after its product
  };

  Size grid_;
  Index dimensions_ = 0;
  std::uint32_t checksum_ = 0;
  std::vector<Layer> layers_;
};

// The one that is built in: it was taught to put a face of few pixels where a large network puts
// the sharp photo (docs/method.md, "Another day").
const ConvolutionNetwork& life_network();

// What the network says of crops: a vector of length 1.
class LifeNetwork {
 public:
  // Of crops of `size` that show `frame`, their faces beside its place by `registration`.
  // `network` must outlive it.
  LifeNetwork(const ConvolutionNetwork& network, Size size, const FaceFrame& frame,
              const Registration& registration);

  Index dimensions() const { return network_->dimensions(); }
  // N x n -> dimensions() x n. A flat image has the features 0. Throws Error on a wrong size
  // and on values that are not finite.
  Matrix features(const MatrixRef& images) const { return features_of(images, false); }
  // The same of the faces' mirror images.
  Matrix mirrored_features(const MatrixRef& images) const { return features_of(images, true); }

 private:
  Matrix features_of(const MatrixRef& images, bool mirrored) const;

  const ConvolutionNetwork* network_;
  FaceGrid grid_;
};

}  // namespace longshot
