// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/life_network.h"

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
  const Index layers = reader.count(kMostLayers);
  for (Index i = 0; i < layers; ++i) {
    ConvolutionShape shape;
    shape.outputs = reader.count(kMostChannels);
    shape.inputs = reader.count(kMostChannels);
    shape.kernel = reader.size(kMostSide);
    shape.stride = reader.count(kMostSide);
    shape.padding = reader.count_from(0, kMostSide);
    shape.from = size;
    size = shape.to();
    const auto flags = reader.number<std::uint32_t>();
    const bool add_kept = (flags & kAddKept) != 0;
    if (shape.inputs != channels || size.pixels() < 1 ||
        (add_kept && (kept_channels != shape.outputs || kept_size != size))) {
      reader.refuse();
    }
    const VectorF bias = reader.values<float>(shape.outputs).cast<float>();
    const Index kernel = shape.kernel.pixels();
    const MatrixF weights =
        inputs_fastest(reader.values<Eigen::half>(shape.outputs * shape.inputs * kernel),
                       shape.outputs, shape.inputs, kernel);
    layers_.push_back({Convolution(shape, weights), bias, (flags & kRectify) != 0,
                       (flags & kKeep) != 0, add_kept});
    channels = shape.outputs;
    if (layers_.back().keep) {
      kept_channels = channels;
      kept_size = size;
    }
  }
  if (!reader.at_end() || size.pixels() != 1) reader.refuse();
  dimensions_ = channels;
  checksum_ = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

MatrixF ConvolutionNetwork::forward(const MatrixF& pair) const {
  if (pair.rows() != grid_.pixels() || pair.cols() != 2) {
    throw Error("The network takes two images of {} pixels, not {} of {}.", grid_.pixels(),
                pair.cols(), pair.rows());
  }
  MatrixF values = pair.reshaped(1, pair.size());  // channels x pixels of both images
  MatrixF kept;
  MatrixF next;
  Convolution::Scratch scratch;
  for (const Layer& layer : layers_) {
    layer.convolution.apply(values, next, scratch);
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
