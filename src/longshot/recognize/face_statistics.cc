// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/face_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// phi'(x) of the normalisation x -> phi(x) / |phi(x)|, where sensor noise of `sigma` hides how dark
// a pixel really is.
Vector slope(const VectorRef& image, Normalisation normalisation, double sigma) {
  if (normalisation != Normalisation::kRootUnitNorm) return Vector::Ones(image.size());
  return 0.5 * image.cwiseMax(sigma).cwiseSqrt().cwiseInverse();
}

Vector before_scaling(const VectorRef& image, Normalisation normalisation) {
  switch (normalisation) {
    case Normalisation::kRootUnitNorm:
      return image.cwiseMax(0.0).cwiseSqrt();
    case Normalisation::kZeroMeanUnitNorm:
      return image.array() - image.mean();
    default:
      return image;
  }
}

// How far two places of a face move together, in widths and heights of the crop.
constexpr double kReach = 0.2;

// N x N: 1 for a pixel and itself, less the further two pixels are from each other.
Matrix nearness(Size size) {
  Matrix result(size.pixels(), size.pixels());
  for (Index q = 0; q < size.pixels(); ++q) {
    for (Index p = 0; p < size.pixels(); ++p) {
      const double dx =
          static_cast<double>(p / size.rows - q / size.rows) / static_cast<double>(size.cols);
      const double dy =
          static_cast<double>(p % size.rows - q % size.rows) / static_cast<double>(size.rows);
      result(p, q) = std::exp(-(dx * dx + dy * dy) / (2.0 * kReach * kReach));
    }
  }
  return result;
}

}  // namespace

Matrix within_class_covariance(const MatrixRef& features, const std::vector<int>& classes) {
  if (static_cast<Index>(classes.size()) != features.cols()) {
    throw Error("There are {} images but {} labels.", features.cols(), classes.size());
  }
  std::map<int, std::vector<Index>> members;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    members[classes[i]].push_back(static_cast<Index>(i));
  }
  Matrix centred(features.rows(), features.cols());
  Index freedom = 0;
  for (const auto& [label, columns] : members) {
    const Matrix own = features(Eigen::all, columns);
    centred(Eigen::all, columns) = own.colwise() - own.rowwise().mean();
    freedom += own.cols() - 1;
  }
  return centred * centred.transpose() / static_cast<double>(std::max<Index>(freedom, 1));
}

Matrix noise_covariance(const MatrixRef& images, Normalisation normalisation, double level) {
  const Index pixels = images.rows();
  // The normalised image moves by (I - f f') D n with D = diag(phi') / |phi|, so its covariance is
  // D^2 - f g' - g f' + (f'g) f f' with g = D^2 f; summed over the images by two products.
  Matrix directions = Matrix::Zero(pixels, images.cols());
  Matrix partners = Matrix::Zero(pixels, images.cols());
  Vector diagonal = Vector::Zero(pixels);
  double counted = 0.0;
  double variance = 0.0;
  for (Index j = 0; j < images.cols(); ++j) {
    const double sigma = level * images.col(j).mean();
    const Vector raw = before_scaling(images.col(j), normalisation);
    const double length = raw.norm();
    if (!(sigma > 0.0) || length == 0.0) continue;
    const Vector squares =
        (sigma / length * slope(images.col(j), normalisation, sigma)).cwiseAbs2();
    directions.col(j) = raw / length;
    const Vector g = squares.cwiseProduct(directions.col(j));
    // Half of the last term joins each of the two products.
    partners.col(j) = g - 0.5 * g.dot(directions.col(j)) * directions.col(j);
    diagonal += squares;
    variance += squares.mean();
    counted += 1.0;
  }
  const Matrix product = directions * partners.transpose();
  Matrix sum = -product - product.transpose();
  sum.diagonal() += diagonal;
  // Images without their mean cannot move along it either.
  if (normalisation == Normalisation::kZeroMeanUnitNorm) {
    sum.array() -= variance / static_cast<double>(pixels);
  }
  return sum / std::max(counted, 1.0);
}

Matrix registration_covariance(const MatrixRef& photos_high, const Extender& extender,
                               Normalisation normalisation, double deviation) {
  const FaceGeometry& geometry = extender.geometry();
  const CameraError& error = geometry.error;
  Matrix sum = Matrix::Zero(geometry.low.pixels(), geometry.low.pixels());
  if (photos_high.cols() == 0) return sum;
  const auto product = [&](const Matrix& there, const Matrix& back) {
    const Matrix difference =
        0.5 * (normalise_columns(there, normalisation) - normalise_columns(back, normalisation));
    return Matrix(difference * difference.transpose());
  };
  const auto moved = [&](const Registration& to) {
    return product(
        seen_by_camera(photos_high, geometry, geometry.op, to),
        seen_by_camera(photos_high, geometry, geometry.op, {-to.dx, -to.dy, -to.log_x, -to.log_y}));
  };
  const double shift = std::hypot(deviation, error.shift);
  const double scale = std::hypot(deviation, error.log_scale);
  if (shift > 0.0) {
    sum = moved({shift, 0.0, 0.0, 0.0}) + moved({0.0, shift, 0.0, 0.0});
    if (error.warp > 0.0) {
      const double share = error.warp * error.warp / (shift * shift);
      sum.array() *= 1.0 + share * nearness(geometry.low).array();
    }
  }
  sum += moved({0.0, 0.0, scale, scale});
  if (error.log_blur > 0.0 && geometry.op.blur_factor > 0.0) {
    DegradeOperator softer = geometry.op;
    DegradeOperator sharper = geometry.op;
    softer.blur_factor *= std::exp(error.log_blur);
    sharper.blur_factor *= std::exp(-error.log_blur);
    sum += product(seen_by_camera(photos_high, geometry, softer),
                   seen_by_camera(photos_high, geometry, sharper));
  }
  if (error.log_gamma > 0.0 || error.black > 0.0) {
    const Matrix seen = extender.degrade(photos_high).cwiseMax(0.0);
    const Matrix black = (error.black * seen.colwise().mean()).replicate(seen.rows(), 1);
    sum += product(seen.array().pow(std::exp(error.log_gamma)),
                   seen.array().pow(std::exp(-error.log_gamma)));
    sum += product(seen + black, (seen - black).cwiseMax(0.0));
  }
  return sum / static_cast<double>(photos_high.cols());
}

}  // namespace longshot
