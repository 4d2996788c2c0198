// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/joined_picture.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"
#include "longshot/image/align.h"

namespace longshot {
namespace {

constexpr std::size_t kMostJoined = 200;  // more take memory and add nothing that can be seen
constexpr int kHuberRounds = 3;
constexpr double kHuberLimit = 1.345;  // deviations: 95 % efficient where nothing is amiss

struct LaidFace {
  Image image;  // of mean 0 and deviation 1
  double weight = 0.0;
};

// The mean of the faces in which each pixel of each also has a weight of its own, from how far it
// lies from `centre` in units of `spread`.
Image weighted_mean(const std::vector<LaidFace>& faces, const Image& centre, const Image& spread) {
  Image sum = Image::Zero(centre.rows(), centre.cols());
  Image weights = sum;
  for (const LaidFace& face : faces) {
    const Image far = (face.image - centre).cwiseAbs().cwiseQuotient(spread);
    const Image own = face.weight * (kHuberLimit / far.array().max(kHuberLimit)).matrix();
    sum += own.cwiseProduct(face.image);
    weights += own;
  }
  return sum.cwiseQuotient(weights);
}

// Of each pixel, from the mean of the absolute differences: 1.25 times that for normal values.
Image spread_about(const std::vector<LaidFace>& faces, const Image& centre) {
  Image sum = Image::Zero(centre.rows(), centre.cols());
  double weights = 0.0;
  for (const LaidFace& face : faces) {
    sum += face.weight * (face.image - centre).cwiseAbs();
    weights += face.weight;
  }
  constexpr double kLeastSpread = 1e-3;
  return (1.25 / weights * sum.array()).max(kLeastSpread);
}

}  // namespace

std::vector<std::size_t> used_faces(const FaceTrack& track, std::size_t most) {
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < track.faces.size(); ++i) {
    if (track.faces[i].weight > 0.0) used.push_back(i);
  }
  if (used.size() <= most) return used;
  std::ranges::stable_sort(used, [&](std::size_t a, std::size_t b) {
    return track.faces[a].weight > track.faces[b].weight;
  });
  used.resize(most);
  std::ranges::sort(used);
  return used;
}

Image joined_picture(const FaceTrack& track, Size size) {
  const std::vector<std::size_t> used = used_faces(track, kMostJoined);
  if (used.empty()) throw Error("No face of the track can be used.");
  std::vector<LaidFace> faces;
  double brightness = 0.0;
  double contrast = 0.0;
  double weights = 0.0;
  for (const std::size_t i : used) {
    const TrackedFace& one = track.faces[i];
    const Image image = align_face(one.patch, one.eyes, FaceFrame(), size);
    const double deviation = std::sqrt((image.array() - image.mean()).square().mean());
    brightness += one.weight * image.mean();
    contrast += one.weight * deviation;
    weights += one.weight;
    faces.push_back({(image.array() - image.mean()) / std::max(deviation, 1e-9), one.weight});
  }
  const Image flat = Image::Zero(size.rows, size.cols);
  Image joined = weighted_mean(faces, flat, Image::Constant(size.rows, size.cols, 1e9));
  for (int round = 0; round < kHuberRounds && faces.size() > 2; ++round) {
    joined = weighted_mean(faces, joined, spread_about(faces, joined));
  }
  const Image shown = (joined.array() * contrast + brightness) / weights;
  return shown.cwiseMax(0.0).cwiseMin(1.0);
}

}  // namespace longshot
