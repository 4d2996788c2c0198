// SPDX-License-Identifier: Apache-2.0
#include "longshot/feature/face_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opencv2/dnn.hpp>
#include <tbb/task_arena.h>
#include <zlib.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/parallel.h"
#include "longshot/image/align.h"
#include "longshot/image/degrade.h"
#include "longshot/image/quiet_errors.h"

namespace longshot {
namespace {

constexpr Index kSides[] = {112, 224};
constexpr int kBatch = 16;
constexpr std::size_t kMostKnown = 4096;  // faces
constexpr double kEnlargedWidth = 160.0;  // crops are interpolated smoothly before they are aligned

// Networks count from the centre of the first pixel, we from its corner.
FaceFrame network_frame(Index side) {
  const auto at = [&](double x, double y) {
    const auto pixels = static_cast<double>(side);
    return Point{(x + 0.5) / pixels, (y + 0.5) / pixels};
  };
  FaceFrame frame;
  frame.eyes = side == kSides[0] ? Eyes{at(38.3, 51.7), at(73.5, 51.5)}
                                 : Eyes{at(74.0, 89.5), at(149.0, 89.5)};
  frame.aspect = 1.0;
  return frame;
}

// Where the eyes are in crops whose faces lie beside the place of the frame.
FaceFrame moved(FaceFrame frame, const Registration& by) {
  for (Point* eye : {&frame.eyes.left, &frame.eyes.right}) {
    eye->x = 0.5 + std::exp(by.log_x) * (eye->x - 0.5) + by.dx;
    eye->y = 0.5 + std::exp(by.log_y) * (eye->y - 0.5) + by.dy;
  }
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

// side^2 x n, of mean 0 and deviation 1: what the network's fixed mean and deviation do to a well
// exposed photo, for any exposure.
Matrix aligned(const MatrixRef& crops, const FaceFrame& frame, Size size, Index side) {
  const Size enlarged{static_cast<Index>(std::lround(kEnlargedWidth * frame.aspect)),
                      static_cast<Index>(kEnlargedWidth)};
  const Degrader enlarger(DegradeOperator(), size, enlarged);
  const Eyes eyes = eyes_in_pixels(frame, enlarged);
  const FaceFrame target = network_frame(side);
  Matrix inputs(side * side, crops.cols());
  parallel_for(crops.cols(), [&](Index j) {
    const Image crop = enlarger.apply(crops.col(j).reshaped(size.rows, size.cols));
    const Vector face = align_face(crop, eyes, target, {side, side}).reshaped();
    const double deviation = std::sqrt((face.array() - face.mean()).square().mean());
    inputs.col(j) = (face.array() - face.mean()) / (deviation > 0.0 ? deviation : 1.0);
  });
  return inputs;
}

}  // namespace

FaceNetwork::FaceNetwork(const std::filesystem::path& file)
    : network_(std::make_unique<Network>()) {
  const std::string bytes = read_file(file);
  checksum_ = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  const QuietErrors quiet;
  try {
    network_->net = cv::dnn::readNetFromONNX(bytes.data(), bytes.size());
  } catch (const cv::Exception&) {
    throw Error("{} is not a face network.", file.string());
  }
  if (!std::ranges::any_of(kSides, [&](Index side) { return takes(side); })) {
    throw Error("Cannot use {} as a face network: it takes faces of neither {}x{} nor {}x{}.",
                file.string(), kSides[0], kSides[0], kSides[1], kSides[1]);
  }
}

FaceNetwork::~FaceNetwork() = default;

bool FaceNetwork::takes(Index side) {
  side_ = side;
  try {
    dimensions_ = forward(Matrix::Zero(side * side, 1)).rows();
  } catch (const cv::Exception&) {
    return false;
  }
  return true;
}

Matrix FaceNetwork::forward(const Matrix& inputs) const {
  const std::array<int, 4> shape = {static_cast<int>(inputs.cols()), 3, static_cast<int>(side_),
                                    static_cast<int>(side_)};
  cv::Mat blob(4, shape.data(), CV_32F);
  auto* value = blob.ptr<float>();
  for (Index j = 0; j < inputs.cols(); ++j) {
    const auto image = inputs.col(j).reshaped(side_, side_);
    for (std::size_t channel = 0; channel < 3; ++channel) {
      for (Index r = 0; r < side_; ++r) {
        for (Index c = 0; c < side_; ++c) {
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

Matrix FaceNetwork::embed(const MatrixRef& crops, const FaceFrame& given, Size size,
                          const Registration& registration) const {
  const FaceFrame frame = moved(given, registration);
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
  const Matrix inputs = aligned(crops(Eigen::all, unknown), frame, size, side_);
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

std::optional<std::filesystem::path> installed_face_network_file() {
  if (const char* named = std::getenv("LONGSHOT_FACE_NETWORK")) {
    if (*named == '\0') return std::nullopt;
    return named;
  }
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (data != nullptr && *data != '\0') {
    folder = data;
  } else if (home != nullptr && *home != '\0') {
    folder = std::filesystem::path(home) / ".local" / "share";
  } else {
    return std::nullopt;
  }
  std::filesystem::path file = folder / "longshot" / "face_network.onnx";
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return std::nullopt;
  return file;
}

std::shared_ptr<const FaceNetwork> installed_face_network() {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::shared_ptr<const FaceNetwork>> known;
  const std::optional<std::filesystem::path> file = installed_face_network_file();
  if (!file) return nullptr;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const FaceNetwork>& network = known[*file];
  if (!network) network = std::make_shared<const FaceNetwork>(*file);
  return network;
}

}  // namespace longshot
