// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/photometric_stereo.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

// Tuning constant of Huber's weights: 95 % efficiency for normal errors.
constexpr double kHuber = 1.345;
// Standard deviation of normal errors over their median absolute deviation.
constexpr double kDeviationOverMad = 1.4826;

// One pixel's equations, and room to work that is reused from pixel to pixel.
class PixelSolver {
 public:
  PixelSolver(const MatrixRef& lights, const PhotometricStereoOptions& options)
      : lights_(lights), options_(options) {}

  // Albedo times normal, or nothing if too little of the pixel is usable.
  std::optional<Eigen::Vector3d> solve(const VectorRef& values) {
    choose(values);
    weights_.assign(used_.size(), 1.0);
    std::optional<Eigen::Vector3d> b = least_squares(values);
    for (Index i = 0; i < options_.iterations && b; ++i) {
      drop_unlit(*b);
      reweight(values, *b);
      b = least_squares(values);
    }
    return b;
  }

 private:
  // Leaves out shadows and highlights by the pixel's own order of values.
  void choose(const VectorRef& values) {
    order_.resize(static_cast<std::size_t>(values.size()));
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<Index>(i);
    std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
      return values[a] != values[b] ? values[a] < values[b] : a < b;
    });
    const double count = static_cast<double>(order_.size());
    const auto first = static_cast<std::size_t>(std::floor(options_.shadow_share * count));
    const auto last =
        order_.size() - static_cast<std::size_t>(std::floor(options_.highlight_share * count));
    const double bright = values[order_[static_cast<std::size_t>(0.9 * (count - 1.0))]];
    const double darkest = std::max(options_.shadow_level, options_.shadow_fraction * bright);
    used_.clear();
    for (std::size_t i = first; i < last; ++i) {
      const double value = values[order_[i]];
      if (value >= darkest && value <= options_.saturation_level) used_.push_back(order_[i]);
    }
  }

  void drop_unlit(const Eigen::Vector3d& b) {
    std::erase_if(used_, [&](Index light) { return b.dot(lights_.col(light)) <= 0.0; });
  }

  void reweight(const VectorRef& values, const Eigen::Vector3d& b) {
    residuals_.clear();
    for (const Index light : used_) {
      residuals_.push_back(std::abs(values[light] - b.dot(lights_.col(light))));
    }
    weights_.assign(used_.size(), 1.0);
    if (used_.empty()) return;
    sorted_ = residuals_;
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    const double limit = kHuber * kDeviationOverMad * *middle;
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (residuals_[i] > limit && residuals_[i] > 1e-12) weights_[i] = limit / residuals_[i];
    }
  }

  std::optional<Eigen::Vector3d> least_squares(const VectorRef& values) const {
    if (static_cast<Index>(used_.size()) < options_.least_lights) return std::nullopt;
    Eigen::Matrix3d gram = Eigen::Matrix3d::Zero();
    Eigen::Vector3d right = Eigen::Vector3d::Zero();
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Eigen::Vector3d s = lights_.col(used_[i]);
      gram.noalias() += weights_[i] * s * s.transpose();
      right += weights_[i] * values[used_[i]] * s;
    }
    Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen;
    eigen.computeDirect(gram, Eigen::EigenvaluesOnly);
    const double least = eigen.eigenvalues()[0];
    const double most = eigen.eigenvalues()[2];
    const double limit = options_.most_condition;
    // The gram matrix has the squares of the lights' singular values.
    if (!(least > 0.0 && most <= limit * limit * least)) return std::nullopt;
    return gram.llt().solve(right);
  }

  const MatrixRef& lights_;
  const PhotometricStereoOptions& options_;
  std::vector<Index> order_;
  std::vector<Index> used_;
  std::vector<double> weights_;  // of used_
  std::vector<double> residuals_;
  std::vector<double> sorted_;
};

// The nearest unit vector with at least this z.
Eigen::Vector3d bent_to_camera(Eigen::Vector3d normal, double least_z) {
  if (normal.z() >= least_z) return normal;
  const double length = normal.head<2>().norm();
  if (length == 0.0) return Eigen::Vector3d::UnitZ();
  normal.head<2>() *= std::sqrt(1.0 - least_z * least_z) / length;
  normal.z() = least_z;
  return normal;
}

}  // namespace

void PhotometricStereoOptions::check() const {
  const auto within = [](double value, double low, double high, std::string_view field) {
    if (!(value >= low && value <= high)) {
      throw Error("{} must be between {} and {}, not {}.", field, low, high, value);
    }
  };
  within(shadow_level, 0.0, 1.0, "shadow_level");
  within(shadow_fraction, 0.0, 1.0, "shadow_fraction");
  within(saturation_level, 0.0, 2.0, "saturation_level");
  within(shadow_share, 0.0, 0.9, "shadow_share");
  within(highlight_share, 0.0, 0.5, "highlight_share");
  within(static_cast<double>(iterations), 0.0, 100.0, "iterations");
  within(static_cast<double>(least_lights), 3.0, 1e6, "least_lights");
  within(most_condition, 1.0, 1e9, "most_condition");
  within(least_z, 0.0, 1.0, "least_z");
}

SurfaceEstimate photometric_stereo(const MatrixRef& images, const MatrixRef& lights,
                                   const PhotometricStereoOptions& options) {
  options.check();
  if (lights.rows() != 3 || lights.cols() != images.rows() || images.size() == 0) {
    throw Error("Photometric stereo needs one light direction (3 numbers) for each of {} images.",
                images.rows());
  }
  if (!images.allFinite() || !lights.allFinite()) {
    throw Error("Photometric stereo needs finite pixels and light directions.");
  }
  const Index pixels = images.cols();
  SurfaceEstimate estimate{Matrix(3, pixels), Vector::Zero(pixels), Vector::Zero(pixels)};
  estimate.normals.colwise() = Eigen::Vector3d(Eigen::Vector3d::UnitZ());
  parallel_blocks(pixels, 256, [&](Index begin, Index end) {
    PixelSolver solver(lights, options);
    for (Index p = begin; p < end; ++p) {
      const std::optional<Eigen::Vector3d> b = solver.solve(images.col(p));
      // A surface that is seen cannot face away: such a solution is no surface.
      if (!b || !(b->norm() > 0.0) || b->z() <= 0.0) continue;
      estimate.albedo[p] = b->norm();
      estimate.normals.col(p) = bent_to_camera(b->normalized(), options.least_z);
      estimate.valid[p] = 1.0;
    }
  });
  return estimate;
}

}  // namespace longshot
