// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/feature/table_reader.h"

namespace longshot {
namespace assets {
std::string_view life_network();
}

namespace {

constexpr std::string_view kNetworkMagic = "LSNET002";
constexpr Index kMostSide = 500;
constexpr Index kMostLayers = 100;
constexpr Index kMostChannels = 10000;

// Flags of a layer, in the order in which they are done.
constexpr std::uint32_t kAddKept = 4;    // what was kept last is added,
constexpr std::uint32_t kAddHalved = 8;  // or its mean over 2 x 2
constexpr std::uint32_t kRectify = 1;
constexpr std::uint32_t kPool = 16;  // the largest of 3 x 3 at every other place
constexpr std::uint32_t kKeep = 2;

// Faces that pass the layers together: the weights of all layers are more than a cache holds.
constexpr Index kTogether = 8;

constexpr double kCutOff = 3.0;           // of grey values, in deviations
constexpr double kLeastDeviation = 1e-9;  // of an image that is not flat, of its mean

Size halved(Size size) {
  return {size.rows / 2, size.cols / 2};
}

Size pooled(Size size) {
  return {(size.rows + 1) / 2, (size.cols + 1) / 2};
}

// Adds the mean over 2 x 2 of `kept` (channels x pixels of images of `size`) to the first channels
// of `values`.
void add_halved(const MatrixF& kept, Size size, MatrixF& values) {
  const Size to = halved(size);
  for (Index j = 0; j < values.cols(); ++j) {
    const Index within = j % to.pixels();
    const Index first =
        j / to.pixels() * size.pixels() + within / to.cols * 2 * size.cols + within % to.cols * 2;
    values.col(j).head(kept.rows()) +=
        0.25F * (kept.col(first) + kept.col(first + 1) + kept.col(first + size.cols) +
                 kept.col(first + size.cols + 1));
  }
}

// The largest of 3 x 3 around every other pixel of images of `size`.
void pool_largest(const MatrixF& values, Size size, MatrixF& result) {
  const Size to = pooled(size);
  result.resize(values.rows(), values.cols() / size.pixels() * to.pixels());
  for (Index j = 0; j < result.cols(); ++j) {
    const Index within = j % to.pixels();
    const Index row = within / to.cols * 2;
    const Index col = within % to.cols * 2;
    const Index image = j / to.pixels() * size.pixels();
    result.col(j) = values.col(image + row * size.cols + col);
    for (Index y = std::max<Index>(row - 1, 0); y <= std::min(row + 1, size.rows - 1); ++y) {
      for (Index x = std::max<Index>(col - 1, 0); x <= std::min(col + 1, size.cols - 1); ++x)
        result.col(j) = result.col(j).cwiseMax(values.col(image + y * size.cols + x));
    }
  }
}

// From outputs x (inputs x kernel), the kernel fastest, to inputs fastest.
Matrix inputs_fastest(const Matrix& stored, const ConvolutionShape& shape) {
  Matrix weights(stored.rows(), stored.cols());
  const Index kernel = shape.kernel.pixels();
  for (Index i = 0; i < shape.inputs; ++i) {
    for (Index k = 0; k < kernel; ++k)
      weights.col(k * shape.inputs + i) = stored.col(i * kernel + k);
  }
  return weights;
}

// Bias, scale and weights of a layer as they are stored. Of whole numbers it multiplies whole
// numbers, if its input has no negative ones.
std::variant<Convolution, WholeConvolution> read_convolution(TableReader& reader,
                                                             const ConvolutionShape& shape,
                                                             bool whole, bool rectified) {
  VectorF bias = reader.values<float>(shape.outputs).cast<float>();
  VectorF scale = reader.values<float>(shape.outputs).cast<float>();
  const Matrix weights =
      inputs_fastest(whole ? reader.rows<std::int8_t>(shape.outputs, shape.patch())
                           : reader.rows<Eigen::half>(shape.outputs, shape.patch()),
                     shape);
  if (whole && rectified && shape.inputs % kGroup == 0 &&
      shape.patch() <= WholeConvolution::kLongestPatch) {
    return WholeConvolution(shape, weights.cast<std::int8_t>(), std::move(scale), std::move(bias));
  }
  return Convolution(shape, scale.asDiagonal() * weights.cast<float>(), std::move(bias));
}

// Mean 0, deviation 1, without outliers; false if there is nothing to see.
bool normalise(Eigen::Ref<Matrix> image) {
  const double mean = image.mean();
  image.array() -= mean;
  const double deviation = std::sqrt(image.squaredNorm() / static_cast<double>(image.size()));
  if (!(deviation > kLeastDeviation * std::abs(mean))) return false;
  image = (image / deviation).cwiseMax(-kCutOff).cwiseMin(kCutOff);
  return true;
}

}  // namespace

ConvolutionNetwork::ConvolutionNetwork(std::string_view bytes) {
  TableReader reader(bytes, "The network");
  if (reader.take(kNetworkMagic.size()) != kNetworkMagic) reader.refuse();
  grid_ = reader.size(kMostSide);
  Size size = grid_;
  Index channels = 1;
  Index kept_channels = 0;
  Size kept_size;
  bool rectified = false;
  const Index layers = reader.count(kMostLayers);
  for (Index i = 0; i < layers; ++i) {
    ConvolutionShape shape;
    shape.outputs = reader.count(kMostChannels);
    shape.inputs = reader.count(kMostChannels);
    shape.kernel = reader.size(kMostSide);
    shape.stride = reader.count(kMostSide);
    shape.before = reader.count_from(0, kMostSide);
    shape.behind = reader.count_from(0, kMostSide);
    shape.from = size;
    size = shape.to();
    const auto flags = reader.number<std::uint32_t>();
    const Index weight_bytes = reader.count(2);
    const bool adds = (flags & (kAddKept | kAddHalved)) != 0;
    const Size added = (flags & kAddHalved) != 0 ? halved(kept_size) : kept_size;
    if (shape.inputs != channels || size.pixels() < 1 ||
        (adds && (kept_channels > shape.outputs || added != size)) ||
        ((flags & kAddKept) != 0 && kept_channels != shape.outputs)) {
      reader.refuse();
    }
    layers_.push_back(
        {read_convolution(reader, shape, weight_bytes == 1, rectified), shape.to(), flags});
    rectified = (flags & kRectify) != 0;
    channels = shape.outputs;
    if ((flags & kPool) != 0) size = pooled(size);
    if ((flags & kKeep) != 0) {
      kept_channels = channels;
      kept_size = size;
    }
  }
  if (!reader.at_end() || size.pixels() != 1) reader.refuse();
  dimensions_ = channels;
  checksum_ = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

MatrixF ConvolutionNetwork::forward(const MatrixF& images) const {
  if (images.rows() != grid_.pixels()) {
    throw Error("The network takes images of {} pixels, not of {}.", grid_.pixels(), images.rows());
  }
  MatrixF values = images.reshaped(1, images.size());  // channels x pixels of all images
  MatrixF kept;
  Size kept_size;
  MatrixF next;
  std::tuple<Convolution::Scratch, WholeConvolution::Scratch> scratch;
  for (const Layer& layer : layers_) {
    Size size = layer.size;
    std::visit(
        [&](const auto& convolution) {
          using Scratch = typename std::decay_t<decltype(convolution)>::Scratch;
          convolution.apply(values, next, std::get<Scratch>(scratch));
        },
        layer.convolution);
    if ((layer.flags & kAddHalved) != 0) add_halved(kept, kept_size, next);
    const bool rectify = (layer.flags & kRectify) != 0;
    if ((layer.flags & kAddKept) != 0) {
      if (rectify)
        next = (next + kept).cwiseMax(0.0F);
      else
        next += kept;
    } else if (rectify) {
      next = next.cwiseMax(0.0F);
    }
    values.swap(next);
    if ((layer.flags & kPool) != 0) {
      pool_largest(values, size, next);
      values.swap(next);
      size = pooled(size);
    }
    if ((layer.flags & kKeep) != 0) {
      kept = values;
      kept_size = size;
    }
  }
  return values;
}

std::optional<Matrix> ConvolutionNetwork::see(Matrix face) const {
  if (!normalise(face)) return std::nullopt;
  MatrixF pair(face.size(), 2);
  pair.col(0) = face.transpose().reshaped().cast<float>();
  pair.col(1) = face.rowwise().reverse().transpose().reshaped().cast<float>();
  return forward(pair).cast<double>();
}

const ConvolutionNetwork& life_network() {
  static const ConvolutionNetwork network(assets::life_network());
  return network;
}

LifeNetwork::LifeNetwork(const ConvolutionNetwork& network, Size size, const FaceFrame& frame,
                         const Registration& registration)
    : network_(&network), grid_(size, frame, registration, network.grid()) {}

Matrix LifeNetwork::features_of(const MatrixRef& images, bool mirrored) const {
  if (images.rows() != grid_.size().pixels()) {
    throw Error("The images have {} pixels, but the network expects {}.", images.rows(),
                grid_.size().pixels());
  }
  if (!images.allFinite()) throw Error("An image holds values that are not finite numbers.");
  Matrix result = Matrix::Zero(dimensions(), images.cols());
  parallel_for((images.cols() + kTogether - 1) / kTogether, [&](Index block) {
    const Index first = block * kTogether;
    const Index count = std::min(kTogether, images.cols() - first);
    MatrixF faces(network_->grid().pixels(), count);
    std::array<Index, kTogether> number = {};
    Index seen = 0;
    for (Index j = first; j < first + count; ++j) {
      Matrix face = grid_.apply(images.col(j));
      if (!normalise(face)) continue;
      if (mirrored) face = face.rowwise().reverse().eval();
      faces.col(seen) = face.transpose().reshaped().cast<float>();
      number[static_cast<std::size_t>(seen++)] = j;
    }
    if (seen == 0) return;
    const Matrix said = network_->forward(faces.leftCols(seen)).cast<double>();
    for (Index k = 0; k < seen; ++k)
      result.col(number[static_cast<std::size_t>(k)]) = said.col(k).normalized();
  });
  return result;
}

}  // namespace longshot
