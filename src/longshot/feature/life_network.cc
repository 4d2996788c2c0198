// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_network.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

constexpr std::string_view kNetworkMagic = "LSNET001";
constexpr Index kMostSide = 500;
constexpr Index kMostLayers = 100;
constexpr Index kMostChannels = 10000;
constexpr std::uint32_t kRectify = 1;
constexpr std::uint32_t kKeep = 2;
constexpr std::uint32_t kAddKept = 4;

constexpr double kCutOff = 3.0;           // of grey values, in deviations
constexpr double kLeastDeviation = 1e-9;  // of an image that is not flat, of its mean

Size size_after(Size from, Size kernel, Index stride, Index padding) {
  const auto side = [&](Index length, Index width) {
    return length + 2 * padding < width ? 0 : (length + 2 * padding - width) / stride + 1;
  };
  return {side(from.rows, kernel.rows), side(from.cols, kernel.cols)};
}

// From outputs x inputs x kernel, the kernel fastest, to inputs fastest.
MatrixF inputs_fastest(const Vector& stored, Index outputs, Index inputs, Index kernel) {
  MatrixF weights(outputs, kernel * inputs);
  for (Index o = 0; o < outputs; ++o) {
    for (Index i = 0; i < inputs; ++i) {
      for (Index k = 0; k < kernel; ++k) {
        weights(o, k * inputs + i) = static_cast<float>(stored((o * inputs + i) * kernel + k));
      }
    }
  }
  return weights;
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
  layers_.resize(static_cast<std::size_t>(reader.count(kMostLayers)));
  for (Layer& layer : layers_) {
    const Index outputs = reader.count(kMostChannels);
    layer.inputs = reader.count(kMostChannels);
    layer.kernel = reader.size(kMostSide);
    layer.stride = reader.count(kMostSide);
    layer.padding = reader.count_from(0, kMostSide);
    const auto flags = reader.number<std::uint32_t>();
    layer.rectify = (flags & kRectify) != 0;
    layer.keep = (flags & kKeep) != 0;
    layer.add_kept = (flags & kAddKept) != 0;
    layer.from = size;
    layer.to = size_after(size, layer.kernel, layer.stride, layer.padding);
    if (layer.inputs != channels || layer.to.pixels() < 1 ||
        (layer.add_kept && (kept_channels != outputs || kept_size != layer.to))) {
      reader.refuse();
    }
    layer.bias = reader.values<float>(outputs).cast<float>();
    const Index kernel = layer.kernel.pixels();
    layer.weights = inputs_fastest(reader.values<Eigen::half>(outputs * layer.inputs * kernel),
                                   outputs, layer.inputs, kernel);
    channels = outputs;
    size = layer.to;
    if (layer.keep) {
      kept_channels = outputs;
      kept_size = size;
    }
  }
  if (!reader.at_end() || size.pixels() != 1) reader.refuse();
  dimensions_ = channels;
  checksum_ = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// One column per output pixel of every image: what the kernel covers there. A row of the kernel
// covers neighbouring columns of the input, so it is one run of memory.
void ConvolutionNetwork::cut_patches(const MatrixF& input, const Layer& layer, MatrixF& patches) {
  const Index images = input.cols() / layer.from.pixels();
  patches.setZero(layer.inputs * layer.kernel.pixels(), images * layer.to.pixels());
  for (Index column = 0; column < patches.cols(); ++column) {
    const Index image = column / layer.to.pixels();
    const Index y = column % layer.to.pixels() / layer.to.cols * layer.stride - layer.padding;
    const Index x = column % layer.to.cols * layer.stride - layer.padding;
    const Index first = std::max<Index>(0, -x);
    const Index last = std::min(layer.kernel.cols, layer.from.cols - x);
    for (Index dy = std::max<Index>(0, -y); dy < layer.kernel.rows; ++dy) {
      if (y + dy >= layer.from.rows || last <= first) break;
      const Index source = (image * layer.from.rows + y + dy) * layer.from.cols + x + first;
      std::copy_n(&input(0, source), (last - first) * layer.inputs,
                  &patches((dy * layer.kernel.cols + first) * layer.inputs, column));
    }
  }
}

MatrixF ConvolutionNetwork::forward(const MatrixF& pair) const {
  if (pair.rows() != grid_.pixels() || pair.cols() != 2) {
    throw Error("The network takes two images of {} pixels, not {} of {}.", grid_.pixels(),
                pair.cols(), pair.rows());
  }
  MatrixF values = pair.reshaped(1, pair.size());  // channels x pixels of both images
  MatrixF kept;
  MatrixF patches;
  MatrixF next;
  for (const Layer& layer : layers_) {
    cut_patches(values, layer, patches);
    next.noalias() = layer.weights * patches;
    next.colwise() += layer.bias;
    if (layer.add_kept) next += kept;
    if (layer.rectify) next = next.cwiseMax(0.0F);
    if (layer.keep) kept = next;
    values.swap(next);
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

Matrix LifeNetwork::features(const MatrixRef& images) const {
  if (images.rows() != grid_.size().pixels()) {
    throw Error("The images have {} pixels, but the network expects {}.", images.rows(),
                grid_.size().pixels());
  }
  if (!images.allFinite()) throw Error("An image holds values that are not finite numbers.");
  Matrix result = Matrix::Zero(dimensions(), images.cols());
  parallel_for(images.cols(), [&](Index j) {
    const std::optional<Matrix> said = network_->see(grid_.apply(images.col(j)));
    if (!said) return;
    result.col(j) = (said->col(0).normalized() + said->col(1).normalized()).normalized();
  });
  return result;
}

}  // namespace longshot
