// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/whitening.h"

#include <cmath>
#include <utility>
#include <vector>

#include "longshot/core/check.h"
#include "longshot/core/decompositions.h"
#include "longshot/core/error.h"
#include "longshot/core/interrupt.h"
#include "longshot/feature/pca.h"
#include "longshot/recognize/face_statistics.h"
#include "longshot/relight/light_variation.h"

namespace longshot {
namespace {

// A camera's noise is that of its mean crop; in units of their own brightness darker ones have
// more.
constexpr double kDarker = 2.0;
constexpr Index kGenericPhotos = 1000;  // draws, enough for a covariance of some hundred pixels

bool has_enough_enrolled(const TrainingSet& training) {
  return training.enrolled_high.cols() >= kFewestPeople;
}

Matrix beside_each_other(const MatrixRef& left, const MatrixRef& right) {
  Matrix both(left.rows(), left.cols() + right.cols());
  both << left, right;
  return both;
}

// The photos that are relit for Sg: the mean face where there are too few people.
Matrix photos_to_relight(const TrainingSet& training) {
  if (!training.empty()) return training.photos_high;
  if (has_enough_enrolled(training)) return training.enrolled_high;
  const FaceGeometry& geometry = training.extender->geometry();
  return generic_photos(geometry.frame, geometry.high, kGenericPhotos).rowwise().mean();
}

// Photos of one person, each person as often as there are photos of them.
Matrix real_variation(const TrainingSet& training, Normalisation normalisation) {
  const Matrix low = training.photos_low();
  const Matrix both =
      beside_each_other(low, mirrored_columns(low, training.extender->geometry().low));
  std::vector<int> classes;
  for (const int side : {0, 1}) {
    for (const int subject : training.subjects) classes.push_back(2 * subject + side);
  }
  return within_class_covariance(normalise_columns(both, normalisation), classes);
}

Matrix relit_variation(const MatrixRef& relit_low, Index per_photo, Normalisation normalisation) {
  std::vector<int> classes;
  for (Index i = 0; i < relit_low.cols(); ++i) classes.push_back(static_cast<int>(i / per_photo));
  return within_class_covariance(normalise_columns(relit_low, normalisation), classes);
}

}  // namespace

void WhiteningOptions::check() const {
  if (!(energy > 0.0 && energy <= 1.0)) throw Error("energy must be in (0, 1], not {}.", energy);
  check_range("noise", "whitening", noise, 0.0, 10.0);
  check_range("moved", "whitening", moved, 0.0, 1.0);
  check_range("relit", "whitening", relit, 0.0, 10.0);
  check_range("generic", "whitening", generic, 0.0, 1e6);
  if (!(ridge > 0.0 && ridge <= 1.0)) throw Error("ridge must be in (0, 1], not {}.", ridge);
}

Matrix representative_photos(const TrainingSet& training) {
  const FaceGeometry& geometry = training.extender->geometry();
  if (!training.empty()) {
    return beside_each_other(training.photos_high,
                             mirrored_columns(training.photos_high, geometry.high));
  }
  return beside_each_other(generic_photos(geometry.frame, geometry.high, kGenericPhotos),
                           training.extender->relit(photos_to_relight(training)));
}

FeatureSpace learn_whitened_space(const TrainingSet& training, const WhiteningOptions& options) {
  options.check();
  training.check();
  look_for_interrupt();
  const Extender& extender = *training.extender;
  const FaceGeometry& geometry = extender.geometry();
  const Normalisation normalisation = options.normalisation;
  const bool trained = !training.empty();

  const Matrix generic =
      extender.degrade(generic_photos(geometry.frame, geometry.high, kGenericPhotos));
  Matrix s = within_class_covariance(normalise_columns(generic, normalisation),
                                     std::vector<int>(static_cast<std::size_t>(generic.cols())));
  if (trained) {
    const double own = static_cast<double>(training.size()) /
                       (static_cast<double>(training.size()) + options.generic);
    s = own * real_variation(training, normalisation) + (1.0 - own) * s;
  }
  const Matrix photos = photos_to_relight(training);
  const Matrix relit = extender.degrade(extender.relit(photos));
  const double relit_weight = trained ? options.relit : 1.0;
  s += relit_weight * relit_variation(relit, extender.images_per_photo(), normalisation);
  const double noise = std::hypot(options.noise, kDarker * geometry.noise);
  if (noise > 0.0) {
    s += noise_covariance(trained ? training.photos_low() : relit, normalisation, noise);
  }
  if (options.moved > 0.0) {
    s += registration_covariance(photos, extender, normalisation, options.moved);
  }

  const Pca pca =
      learn_pca(normalise_columns(extender.degrade(representative_photos(training)), normalisation),
                {0, options.energy});
  Matrix projected = pca.basis.transpose() * s * pca.basis;
  projected.diagonal().array() += options.ridge * projected.diagonal().mean();
  const SymmetricEigen eigen = symmetric_eigen(projected);
  return {normalisation, pca.mean,
          pca.basis * eigen.vectors * eigen.values.cwiseSqrt().cwiseInverse().asDiagonal()};
}

}  // namespace longshot
