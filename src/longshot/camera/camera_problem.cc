// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera_problem.h"

#include <array>
#include <cmath>

#include <Eigen/Cholesky>

#include "longshot/core/parallel.h"
#include "longshot/feature/photometric.h"

namespace longshot {
namespace {

// Steps of the numeric derivatives.
constexpr std::array<double, kCameraParameters> kSteps = {0.01, 0.01, 0.01, 0.01, 0.1, 0.05, 0.1};
constexpr double kNoiseCentre = 0.08;
constexpr double kLogNoiseDeviation = 0.8;
// What a crop differs from its face by: so much of the covariance of all faces, and, as people and
// lights are never quite like those of the gallery, so much of each pixel's variance on its own.
constexpr double kUsual = 0.6;
constexpr double kUnlike = 0.06;
constexpr double kSmallest = 1e-7;   // ridge, in units of the whole variance
constexpr double kLeastGrey = 1e-4;  // gamma of what is darker is not defined

// m x n, between the columns of both.
Matrix squared_distances(const Matrix& faces, const Matrix& crops) {
  Matrix result = -2.0 * faces.transpose() * crops;
  result.colwise() += faces.colwise().squaredNorm().transpose();
  result.rowwise() += crops.colwise().squaredNorm();
  return result.cwiseMax(0.0);
}

}  // namespace

CameraProblem::CameraProblem(const MatrixRef& crops, const MatrixRef& photos,
                             const FaceGeometry& geometry, const CameraFitOptions& options)
    : photos_(photos),
      geometry_(geometry),
      freedom_(options.freedom),
      crops_(normalise_columns(crops, Normalisation::kZeroMeanUnitNorm)),
      weight_(options.most_crops / (options.most_crops + static_cast<double>(crops.cols()))) {
  centre_.setZero();
  centre_(kLogBlur) = std::log(options.blur);
  centre_(kLogNoise) = std::log(kNoiseCentre);
  CameraVector deviations;
  deviations << options.shift, options.shift, options.log_scale, options.log_scale,
      options.log_blur, options.log_gamma, kLogNoiseDeviation;
  precision_ = deviations.cwiseAbs2().cwiseInverse();
}

double CameraProblem::log_prior(const CameraVector& at) const {
  return -0.5 * (at - centre_).cwiseAbs2().dot(precision_);
}

CameraProblem::Seen CameraProblem::seen_by(const CameraVector& at) const {
  const DegradeOperator op{OperatorKind::kGauss, std::exp(at(kLogBlur))};
  return seen_by(op, {at(0), at(1), at(2), at(3)}, std::exp(at(kLogGamma)),
                 std::exp(at(kLogNoise)));
}

CameraProblem::Seen CameraProblem::seen_by(const DegradeOperator& op,
                                           const Registration& registration, double gamma,
                                           double noise) const {
  Matrix faces = Degrader(op, geometry_.high, geometry_.low, registration).apply_columns(photos_);
  if (gamma != 1.0) faces = faces.array().max(kLeastGrey).pow(gamma);
  Seen seen;
  seen.faces = normalise_columns(faces, Normalisation::kZeroMeanUnitNorm);
  const Index pixels = faces.rows();
  const Matrix away = seen.faces.colwise() - seen.faces.rowwise().mean();
  seen.covariance = Matrix::Zero(pixels, pixels);
  seen.covariance.selfadjointView<Eigen::Lower>().rankUpdate(
      away, 1.0 / static_cast<double>(away.cols()));
  seen.covariance.triangularView<Eigen::StrictlyUpper>() = seen.covariance.transpose();
  const Vector variance = seen.covariance.diagonal();
  seen.covariance *= kUsual;
  seen.covariance.diagonal() += kUnlike * variance;
  seen.covariance.diagonal().array() += noise * noise / static_cast<double>(pixels) + kSmallest;
  return seen;
}

CameraProblem::Explanation CameraProblem::explain(const Seen& seen) const {
  const Eigen::LLT<Matrix> cholesky(seen.covariance);
  const double volume = cholesky.matrixLLT().diagonal().array().log().sum();
  const Matrix distances =
      squared_distances(cholesky.matrixL().solve(seen.faces), cholesky.matrixL().solve(crops_));
  const Matrix densities = -0.5 * (freedom_ + static_cast<double>(crops_.rows())) *
                           (distances.array() / freedom_ + 1.0).log();
  const Eigen::RowVectorXd highest = densities.colwise().maxCoeff();
  Explanation result;
  result.shares = (densities.rowwise() - highest).array().exp();
  const Eigen::RowVectorXd sums = result.shares.colwise().sum();
  result.shares.array().rowwise() /= sums.array();
  const double even = std::log(static_cast<double>(densities.rows()));
  result.likelihood = weight_ * (sums.array().log() + highest.array() - even - volume).sum();
  return result;
}

void CameraProblem::derivatives(const CameraVector& at, const Seen& here,
                                const Explanation& explanation, CameraVector& gradient,
                                CameraSquare& information) const {
  const Eigen::LLT<Matrix> cholesky(here.covariance);
  const Matrix crops = cholesky.matrixL().solve(crops_);
  const Matrix faces = cholesky.matrixL().solve(here.faces);
  const double n = weight_ * static_cast<double>(crops.cols());
  // Crops that are far from all faces count less.
  const Matrix robust = weight_ * (freedom_ + static_cast<double>(crops.rows())) *
                        explanation.shares.array() /
                        (squared_distances(faces, crops).array() + freedom_);
  const Vector by_face = robust.rowwise().sum();
  const Vector by_crop = robust.colwise().sum();
  const Matrix drawn = crops * robust.transpose();  // N x m
  const Matrix pull = drawn - faces * by_face.asDiagonal();
  const Matrix cross = drawn * faces.transpose();
  const Matrix scatter = crops * by_crop.asDiagonal() * crops.transpose() - cross -
                         cross.transpose() + faces * by_face.asDiagonal() * faces.transpose();
  const Vector roots = (weight_ * explanation.shares.rowwise().sum()).cwiseSqrt();

  std::array<Matrix, kCameraParameters> face_slopes;
  std::array<Matrix, kCameraParameters> slopes;
  parallel_for(kCameraParameters, [&](Index i) {
    const auto k = static_cast<std::size_t>(i);
    CameraVector up = at;
    CameraVector down = at;
    up(i) += kSteps[k];
    down(i) -= kSteps[k];
    const Seen above = seen_by(up);
    const Seen below = seen_by(down);
    const double over = 0.5 / kSteps[k];
    face_slopes[k] = cholesky.matrixL().solve(over * (above.faces - below.faces));
    const Matrix half = cholesky.matrixL().solve(over * (above.covariance - below.covariance));
    slopes[k] = cholesky.matrixL().solve(half.transpose());
    gradient(i) = face_slopes[k].cwiseProduct(pull).sum() +
                  0.5 * slopes[k].cwiseProduct(scatter).sum() - 0.5 * n * slopes[k].trace();
    face_slopes[k] *= roots.asDiagonal();
  });
  for (std::size_t i = 0; i < kCameraParameters; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      const auto row = static_cast<Index>(i);
      const auto column = static_cast<Index>(j);
      information(row, column) = information(column, row) =
          face_slopes[i].cwiseProduct(face_slopes[j]).sum() +
          0.5 * n * slopes[i].cwiseProduct(slopes[j]).sum();
    }
  }
}

}  // namespace longshot
