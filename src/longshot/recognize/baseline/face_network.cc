// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/face_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opencv2/dnn.hpp>
#include <tbb/task_arena.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/parallel.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

constexpr int kSide = 112;
constexpr int kBatch = 16;
constexpr std::size_t kMostKnown = 4096;  // faces
constexpr double kEnlargedWidth = 160.0;  // crops are interpolated smoothly before they are aligned

// The network counts from the centre of the first pixel, we from its corner.
FaceFrame network_frame() {
  FaceFrame frame;
  frame.eyes = {{(38.3 + 0.5) / kSide, (51.7 + 0.5) / kSide},
                {(73.5 + 0.5) / kSide, (51.5 + 0.5) / kSide}};
  frame.aspect = 1.0;
  return frame;
}

}  // namespace

struct FaceNetwork::Network {
  cv::dnn::Net net;
  std::mutex mutex;  // OpenCV's networks keep state between calls

  // An evaluation shows the same faces to many galleries, and a face costs the network as much time
  // as other methods need for thousands.
  std::unordered_map<std::string, Vector> known;  // by the pixels of the crop
  std::mutex known_mutex;
};

namespace {

std::string key_of(const VectorRef& crop, const FaceFrame& frame, Size size) {
  const std::array<double, 7> view = {frame.eyes.left.x,
                                      frame.eyes.left.y,
                                      frame.eyes.right.x,
                                      frame.eyes.right.y,
                                      frame.aspect,
                                      static_cast<double>(size.rows),
                                      static_cast<double>(size.cols)};
  std::string key(reinterpret_cast<const char*>(view.data()), sizeof(view));
  key.append(reinterpret_cast<const char*>(crop.data()),
             static_cast<std::size_t>(crop.size()) * sizeof(double));
  return key;
}

// 112 * 112 x n, of mean 0 and deviation 1: what the network's fixed mean and deviation do to a
// well exposed photo, for any exposure.
Matrix aligned(const MatrixRef& crops, const FaceFrame& frame, Size size) {
  const Size enlarged{static_cast<Index>(std::lround(kEnlargedWidth * frame.aspect)),
                      static_cast<Index>(kEnlargedWidth)};
  const Degrader enlarger(DegradeOperator(), size, enlarged);
  const Eyes eyes = eyes_in_pixels(frame, enlarged);
  const FaceFrame target = network_frame();
  Matrix inputs(Index{kSide} * kSide, crops.cols());
  parallel_for(crops.cols(), [&](Index j) {
    const Image crop = enlarger.apply(crops.col(j).reshaped(size.rows, size.cols));
    const Vector face = align_face(crop, eyes, target, {kSide, kSide}).reshaped();
    const double deviation = std::sqrt((face.array() - face.mean()).square().mean());
    inputs.col(j) = (face.array() - face.mean()) / (deviation > 0.0 ? deviation : 1.0);
  });
  return inputs;
}

}  // namespace

FaceNetwork::FaceNetwork(const std::filesystem::path& file)
    : network_(std::make_unique<Network>()) {
  read_file(file);  // says what is wrong with a missing file better than OpenCV does
  try {
    network_->net = cv::dnn::readNetFromONNX(file.string());
    dimensions_ = forward(Matrix::Zero(Index{kSide} * kSide, 1)).rows();
  } catch (const cv::Exception&) {
    throw Error("Cannot use {} as a face network: it does not take {}x{} faces.", file.string(),
                kSide, kSide);
  }
}

FaceNetwork::~FaceNetwork() = default;

Matrix FaceNetwork::forward(const Matrix& inputs) const {
  const std::array<int, 4> shape = {static_cast<int>(inputs.cols()), 3, kSide, kSide};
  cv::Mat blob(4, shape.data(), CV_32F);
  auto* value = blob.ptr<float>();
  for (Index j = 0; j < inputs.cols(); ++j) {
    const auto image = inputs.col(j).reshaped(kSide, kSide);
    for (std::size_t channel = 0; channel < 3; ++channel) {
      for (Index r = 0; r < kSide; ++r) {
        for (Index c = 0; c < kSide; ++c) {
          *value++ = static_cast<float>(image(r, c));
        }
      }
    }
  }
  cv::Mat output;
  {
    const std::lock_guard<std::mutex> lock(network_->mutex);
    // OpenCV's own loops run on oneTBB too. A thread that waits for them must not take up another
    // task of ours, which could want the lock that it holds.
    tbb::this_task_arena::isolate([&] {
      network_->net.setInput(blob);
      output = network_->net.forward().clone();
    });
  }
  if (output.type() != CV_32F || output.total() % static_cast<std::size_t>(inputs.cols()) != 0) {
    throw Error("The face network gives no vector for each face.");
  }
  const Eigen::Map<const MatrixF> values(
      output.ptr<float>(), static_cast<Index>(output.total()) / inputs.cols(), inputs.cols());
  return values.cast<double>();
}

Matrix FaceNetwork::embed(const MatrixRef& crops, const FaceFrame& frame, Size size) const {
  Matrix embeddings(dimensions_, crops.cols());
  std::vector<std::string> keys;
  std::vector<Index> unknown;
  for (Index j = 0; j < crops.cols(); ++j) {
    keys.push_back(key_of(crops.col(j), frame, size));
    const std::lock_guard<std::mutex> lock(network_->known_mutex);
    const auto found = network_->known.find(keys.back());
    if (found == network_->known.end()) {
      unknown.push_back(j);
    } else {
      embeddings.col(j) = found->second;
    }
  }
  const auto count = static_cast<Index>(unknown.size());
  const Matrix inputs = aligned(crops(Eigen::all, unknown), frame, size);
  for (Index begin = 0; begin < count; begin += kBatch) {
    const Index faces = std::min<Index>(kBatch, count - begin);
    Matrix batch = forward(inputs.middleCols(begin, faces));
    if (batch.rows() != dimensions_) throw Error("The face network cannot take several faces.");
    batch.colwise().normalize();
    const std::lock_guard<std::mutex> lock(network_->known_mutex);
    if (network_->known.size() > kMostKnown) network_->known.clear();
    for (Index k = 0; k < faces; ++k) {
      const Index j = unknown[static_cast<std::size_t>(begin + k)];
      embeddings.col(j) = batch.col(k);
      network_->known[std::move(keys[static_cast<std::size_t>(j)])] = batch.col(k);
    }
  }
  return embeddings;
}

}  // namespace longshot
