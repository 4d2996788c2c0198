// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/camera_centres.h"

#include <algorithm>

#include "longshot/camera/camera_fit.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"
#include "longshot/recognize/life_space.h"

namespace longshot {
namespace {

// Of n crops of different people about this share of n is taken for somebody else among them.
constexpr double kMistaken = 0.15;
// Camera files keep so many digits of a centre, and so do those who learnt it.
constexpr double kDigits = 1e6;

// n x n, in units of their mean: as far apart as the features that tell people apart say.
Matrix distances_between(const MatrixRef& coordinates, const Vector& between) {
  const Vector scale = (between.array() / (1.0 + between.array())).sqrt();
  const Matrix scaled =
      scale.asDiagonal() * (coordinates.colwise() - coordinates.rowwise().mean().eval());
  const Vector squares = scaled.colwise().squaredNorm().transpose();
  Matrix distances = -2.0 * scaled.transpose() * scaled;
  distances.colwise() += squares;
  distances.rowwise() += squares.transpose();
  distances = distances.cwiseMax(0.0).cwiseSqrt();
  const double mean = distances.sum() / static_cast<double>(std::max<Index>(
                                            1, squares.size() * (squares.size() - 1)));
  return distances / std::max(mean, 1e-12);
}

// Below this two of `count` crops are one face.
double same_below(const Matrix& people, Index count) {
  std::vector<double> pairs;
  for (Index j = 1; j < people.cols(); ++j) {
    for (Index i = 0; i < j; ++i) pairs.push_back(people(i, j));
  }
  const double share = 2.0 * kMistaken / static_cast<double>(count);
  const auto rank =
      static_cast<std::size_t>(std::min(1.0, share) * static_cast<double>(pairs.size() - 1));
  std::ranges::nth_element(pairs, pairs.begin() + static_cast<std::ptrdiff_t>(rank));
  return pairs[rank];
}

// Each group counts once, however many crops it has.
Vector mean_of_groups(const Matrix& features, const std::vector<Index>& groups, Index count) {
  Matrix sums = Matrix::Zero(features.rows(), count);
  Vector sizes = Vector::Zero(count);
  for (Index j = 0; j < features.cols(); ++j) {
    const Index group = groups[static_cast<std::size_t>(j)];
    sums.col(group) += features.col(j);
    sizes(group) += 1.0;
  }
  return (sums * sizes.cwiseInverse().asDiagonal()).rowwise().mean();
}

Vector rounded(const Vector& values) {
  return (values * kDigits).array().round() / kDigits;
}

}  // namespace

std::vector<Index> group_faces(const MatrixRef& crops, const MatrixRef& people,
                               const Vector& between) {
  if (people.cols() < 2) throw Error("Faces are told apart with at least two people.");
  const Index count = crops.cols();
  const Matrix distances = distances_between(crops, between);
  const double same = same_below(distances_between(people, between), count);
  std::vector<Index> groups(static_cast<std::size_t>(count), -1);
  Index found = 0;
  for (Index first = 0; first < count; ++first) {
    if (groups[static_cast<std::size_t>(first)] >= 0) continue;
    std::vector<Index> open = {first};
    groups[static_cast<std::size_t>(first)] = found;
    while (!open.empty()) {
      const Index from = open.back();
      open.pop_back();
      for (Index j = 0; j < count; ++j) {
        Index& group = groups[static_cast<std::size_t>(j)];
        if (group >= 0 || distances(from, j) >= same) continue;
        group = found;
        open.push_back(j);
      }
    }
    ++found;
  }
  return groups;
}

Camera learn_centred_camera(const MatrixRef& crops, const CameraReference& reference) {
  Camera camera = learn_camera(crops, reference);
  const Index people = reference.photos.cols();
  if (crops.cols() < kFewestPeople || people < kFewestPeople) return camera;
  const FaceGeometry seen = through_camera(reference.geometry, camera);
  const Matrix some = corrected_crops(spread_columns(crops, kMostCameraCrops), seen.low, camera);
  PersonImages photos;
  photos.photos_high = reference.photos;
  photos.photos_low = seen_by_camera(reference.photos, seen, seen.op);
  const LifeSpace network(seen, network_table());
  const std::vector<Index> groups =
      group_faces(network.coordinates(some), network.coordinates(MatrixRef(photos.photos_low)),
                  network.between());
  const Index faces = *std::ranges::max_element(groups) + 1;
  if (faces < kFewestPeople) return camera;
  camera.faces = faces;
  camera.people = people;
  for (const LifeSpace& space : {network, LifeSpace(seen, gradient_table())}) {
    camera.centres.push_back(
        space.centre(rounded(mean_of_groups(space.features(some), groups, faces)),
                     rounded(space.features(photos).rowwise().mean())));
  }
  return camera;
}

}  // namespace longshot
