// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "longshot/camera/camera_fit.h"
#include "longshot/core/matrix.h"

namespace longshot {

// dx, dy, log_x, log_y, log blur, log gamma, log noise; noise in units of a crop's contrast.
inline constexpr Index kCameraParameters = 7;
inline constexpr Index kLogBlur = 4;
inline constexpr Index kLogGamma = 5;
inline constexpr Index kLogNoise = 6;
using CameraVector = Eigen::Matrix<double, kCameraParameters, 1>;
using CameraSquare = Eigen::Matrix<double, kCameraParameters, kCameraParameters>;

// How likely crops are, as a function of the camera. At zero mean and unit norm, each is one of the
// sharp faces, seen by the camera, and what it differs from that face by: a Student distribution
// about each, all with one covariance. To compare with faces one by one, and not with their mean
// and covariance, is what keeps crops under one light from being explained by a wrong camera.
class CameraProblem {
 public:
  // Faces as a camera shows them.
  struct Seen {
    Matrix faces;       // N x m, zero mean, unit norm
    Matrix covariance;  // N x N, of a crop about its face
  };
  // The crops, explained by them.
  struct Explanation {
    double likelihood = 0.0;  // its logarithm
    Matrix shares;            // m x n: how far each crop is each face; columns of sum 1
  };

  // Crops and photos as of fit_camera(). `photos` must outlive this.
  CameraProblem(const MatrixRef& crops, const MatrixRef& photos, const FaceGeometry& geometry,
                const CameraFitOptions& options);

  // Of the normal priors.
  const CameraVector& centre() const { return centre_; }
  const CameraVector& precision() const { return precision_; }
  double log_prior(const CameraVector& at) const;

  Seen seen_by(const CameraVector& at) const;
  Seen seen_by(const DegradeOperator& op, const Registration& registration, double gamma,
               double noise) const;
  Explanation explain(const Seen& seen) const;
  // Gradient of the likelihood and its Fisher information.
  void derivatives(const CameraVector& at, const Seen& here, const Explanation& explanation,
                   CameraVector& gradient, CameraSquare& information) const;

 private:
  MatrixRef photos_;
  FaceGeometry geometry_;
  double freedom_;
  Matrix crops_;   // N x n, zero mean, unit norm
  double weight_;  // of one crop
  CameraVector centre_;
  CameraVector precision_;
};

}  // namespace longshot
