// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "longshot/camera/camera_problem.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"
#include "longshot/feature/photometric.h"
#include "longshot/relight/light_variation.h"

namespace longshot {
namespace {

struct Optimum {
  CameraVector at;
  double posterior = 0.0;
  CameraVector deviations;
  Index steps = 0;
};

CameraVector within_reason(CameraVector at) {
  at.head<4>() = at.head<4>().cwiseMax(-0.4).cwiseMin(0.4);
  at(kLogBlur) = std::clamp(at(kLogBlur), std::log(0.05), std::log(3.0));
  at(kLogGamma) = std::clamp(at(kLogGamma), -1.2, 1.2);
  at(kLogNoise) = std::clamp(at(kLogNoise), std::log(0.005), std::log(3.0));
  return at;
}

Optimum optimise(const CameraProblem& problem, const CameraVector& start, Index most_steps) {
  Optimum best;
  best.at = start;
  CameraProblem::Seen here = problem.seen_by(start);
  CameraProblem::Explanation explanation = problem.explain(here);
  best.posterior = explanation.likelihood + problem.log_prior(start);
  double damping = 1e-2;
  CameraVector gradient;
  CameraSquare information;
  for (best.steps = 0; best.steps < most_steps; ++best.steps) {
    problem.derivatives(best.at, here, explanation, gradient, information);
    gradient -= problem.precision().cwiseProduct(best.at - problem.centre());
    information.diagonal() += problem.precision();
    double gained = 0.0;
    for (int attempt = 0; attempt < 6; ++attempt) {
      CameraSquare damped = information;
      damped.diagonal() *= 1.0 + damping;
      const CameraVector next = within_reason(best.at + damped.llt().solve(gradient));
      CameraProblem::Seen there = problem.seen_by(next);
      CameraProblem::Explanation explained = problem.explain(there);
      const double posterior = explained.likelihood + problem.log_prior(next);
      if (posterior > best.posterior) {
        gained = posterior - best.posterior;
        best.at = next;
        best.posterior = posterior;
        here = std::move(there);
        explanation = std::move(explained);
        damping = std::max(damping / 5.0, 1e-4);
        break;
      }
      damping = 10.0 * std::max(damping, 1e-3);
    }
    if (gained < 0.01) break;
  }
  problem.derivatives(best.at, here, explanation, gradient, information);
  information.diagonal() += problem.precision();
  best.deviations = information.inverse().diagonal().cwiseSqrt();
  return best;
}

// What simulated cameras on synthetic people were off by beyond what the likelihood says: mean
// faces and lights differ between gallery and crops.
constexpr double kShiftFloor = 0.01;
constexpr double kScaleFloor = 0.02;
constexpr double kLogBlurFloor = 0.12;

// The tone curve and the black level of a camera are not learnt: of faces whose own contrast is
// unlike the gallery's, as that of press photos is, the fit says the same gamma of 2 whatever the
// camera's is. It has one only so that contrast does not pass for blur. How far they are expected
// from the gallery's:
constexpr double kLogGammaUnknown = 0.15;
constexpr double kBlackUnknown = 0.15;

// Sharp faces of each kind.
constexpr Index kMostRelit = 700;
constexpr Index kGenericFaces = 150;
constexpr Index kMostTrained = 200;

// Deviation of a pattern that a camera may add to all crops, in units of their contrast.
constexpr double kBias = 0.1;

// A size of the same proportions with at most that many pixels.
Size reduced_size(Size size, Index most) {
  if (size.pixels() <= most) return size;
  const double factor = std::sqrt(static_cast<double>(most) / static_cast<double>(size.pixels()));
  return {std::max<Index>(2, static_cast<Index>(factor * static_cast<double>(size.rows))),
          std::max<Index>(2, static_cast<Index>(factor * static_cast<double>(size.cols)))};
}

double mean_contrast(const Matrix& images) {
  const Eigen::RowVectorXd means = images.colwise().mean();
  return ((images.rowwise() - means).colwise().squaredNorm() / static_cast<double>(images.rows()))
      .cwiseSqrt()
      .mean();
}

// The mean face, as far as it is the camera's.
void add_tone(const MatrixRef& crops, const Matrix& photos, const FaceGeometry& geometry,
              double effective_crops, Camera& camera) {
  const FaceGeometry seen_geometry = through_camera(geometry, camera);
  const Matrix seen = seen_by_camera(photos, seen_geometry, camera.op);
  const Matrix faces = normalise_columns(seen, Normalisation::kZeroMeanUnitNorm);
  const Vector mean = faces.rowwise().mean();
  const Vector lacking =
      mean - normalise_columns(crops, Normalisation::kZeroMeanUnitNorm).rowwise().mean();
  // How far the mean of such crops is expected from that of the gallery, if the camera adds
  // nothing.
  const Matrix away = faces.colwise() - mean;
  Matrix expected = away * away.transpose() / (static_cast<double>(away.cols()) * effective_crops);
  const double bias = kBias * kBias / static_cast<double>(away.rows());
  expected.diagonal().array() += bias;
  camera.tone = bias * expected.llt().solve(lacking);
}

// The likelihood of the crops if the camera is the gallery's operator, at the best level of noise.
double likelihood_without(const CameraProblem& problem, const DegradeOperator& op) {
  double best = -std::numeric_limits<double>::infinity();
  for (const double noise : {0.02, 0.05, 0.1, 0.2, 0.4, 0.8}) {
    best = std::max(best, problem.explain(problem.seen_by(op, {}, 1.0, noise)).likelihood);
  }
  return best;
}

}  // namespace

void CameraFitOptions::check() const {
  const auto positive = [](const char* field, double value) {
    if (!(value > 0.0)) throw Error("{} must be positive, not {}.", field, value);
  };
  positive("shift", shift);
  positive("log_scale", log_scale);
  positive("blur", blur);
  positive("log_blur", log_blur);
  positive("log_gamma", log_gamma);
  positive("freedom", freedom);
  positive("most_crops", most_crops);
  if (!(doubt >= 0.0)) throw Error("doubt must not be negative, but is {}.", doubt);
  if (most_photos < 2) throw Error("most_photos must be at least 2, not {}.", most_photos);
  if (most_pixels < 4) throw Error("most_pixels must be at least 4, not {}.", most_pixels);
  if (steps < 1) throw Error("steps must be at least 1, not {}.", steps);
}

Matrix spread_columns(const MatrixRef& columns, Index most) {
  const Index count = columns.cols();
  if (count <= most) return columns;
  Matrix chosen(columns.rows(), most);
  for (Index k = 0; k < most; ++k) chosen.col(k) = columns.col(k * count / most);
  return chosen;
}

Matrix camera_reference(const MatrixRef& trained_high, const MatrixRef& relit_gallery,
                        const FaceGeometry& geometry) {
  const Matrix relit = spread_columns(relit_gallery, kMostRelit);
  const Matrix generic = generic_photos(geometry.frame, geometry.high, kGenericFaces);
  const Matrix trained = spread_columns(trained_high, kMostTrained);
  Matrix faces(geometry.high.pixels(), relit.cols() + generic.cols() + 2 * trained.cols());
  if (trained.cols() == 0) {
    faces << relit, generic;
  } else {
    faces << relit, generic, trained, mirrored_columns(trained, geometry.high);
  }
  return faces;
}

Camera fit_camera(const MatrixRef& crops, const MatrixRef& photos_high,
                  const FaceGeometry& geometry, const CameraFitOptions& options) {
  options.check();
  if (crops.cols() < 1 || crops.rows() != geometry.low.pixels()) {
    throw Error("A camera is learnt from crops of {}.", to_string(geometry.low));
  }
  const Matrix photos = spread_columns(photos_high, options.most_photos);
  FaceGeometry fitted = geometry;
  fitted.low = reduced_size(geometry.low, options.most_pixels);
  const Matrix small =
      fitted.low == geometry.low
          ? Matrix(crops)
          : Degrader({OperatorKind::kArea}, geometry.low, fitted.low).apply_columns(crops);
  const CameraProblem problem(small, photos, fitted, options);
  const Optimum best = optimise(problem, problem.centre(), options.steps);

  Camera camera;
  camera.size = geometry.low;
  camera.crops = crops.cols();
  camera.op = geometry.op;
  camera.learnt = best.posterior - likelihood_without(problem, geometry.op) > options.doubt;
  if (!camera.learnt) return camera;
  // A pixel of the reduced crop is as many pixels of the crop.
  const double factor = std::sqrt(static_cast<double>(geometry.low.pixels()) /
                                  static_cast<double>(fitted.low.pixels()));
  camera.op = {OperatorKind::kGauss, std::exp(best.at(kLogBlur)) * factor};
  camera.registration = {best.at(0), best.at(1), best.at(2), best.at(3)};
  camera.error = {std::hypot(best.deviations.head<2>().maxCoeff(), kShiftFloor),
                  std::hypot(best.deviations.segment<2>(2).maxCoeff(), kScaleFloor),
                  std::hypot(best.deviations(kLogBlur), kLogBlurFloor), 0.0, 0.0};
  camera.error.log_gamma = kLogGammaUnknown;
  camera.error.black = kBlackUnknown;
  if (crops.cols() >= kFewestPeople) {
    const double count = static_cast<double>(crops.cols());
    add_tone(crops, photos, geometry, options.most_crops * count / (options.most_crops + count),
             camera);
  }
  camera.noise =
      std::clamp(std::exp(best.at(kLogNoise)) * mean_contrast(crops) / std::max(crops.mean(), 1e-3),
                 0.001, 10.0);
  return camera;
}

}  // namespace longshot
