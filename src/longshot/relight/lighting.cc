// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/lighting.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <Eigen/Eigenvalues>

#include "longshot/core/error.h"
#include "longshot/relight/nnls.h"

namespace longshot {
namespace {

// Candidates are nearly dependent: weights this far below the largest are rounding errors.
constexpr double kFaintest = 1e-6;

// Normal equations of I = rbar (n, 1).(s, a).
struct LightEquations {
  Eigen::Matrix4d gram = Eigen::Matrix4d::Zero();
  Eigen::Vector4d right = Eigen::Vector4d::Zero();
  Index pixels = 0;

  LightEquations operator-(const LightEquations& other) const {
    return {gram - other.gram, right - other.right, pixels - other.pixels};
  }
};

// Over the mask's unsaturated pixels with n.s <= most.
LightEquations accumulate(const Image& image, const NormalMap& map, const double* mean_albedo,
                          const LightOptions& options, const Eigen::Vector3d& s, double most) {
  const double* intensity = image.data();
  const double* normal = map.normals.data();
  const double* mask = map.mask.data();
  // Ten sums of the upper triangle and four of the right-hand side, kept in registers.
  double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, x1 = 0, y1 = 0, z1 = 0, one = 0;
  double bx = 0, by = 0, bz = 0, b1 = 0;
  Index pixels = 0;
  for (Index p = 0; p < image.size(); ++p, normal += 3) {
    const double cosine = normal[0] * s.x() + normal[1] * s.y() + normal[2] * s.z();
    if (mask[p] == 0.0 || intensity[p] > options.saturated || cosine > most) continue;
    const double r = mean_albedo ? mean_albedo[p] : 1.0;
    const double nx = r * normal[0];
    const double ny = r * normal[1];
    const double nz = r * normal[2];
    xx += nx * nx;
    xy += nx * ny;
    xz += nx * nz;
    yy += ny * ny;
    yz += ny * nz;
    zz += nz * nz;
    x1 += nx * r;
    y1 += ny * r;
    z1 += nz * r;
    one += r * r;
    bx += intensity[p] * nx;
    by += intensity[p] * ny;
    bz += intensity[p] * nz;
    b1 += intensity[p] * r;
    ++pixels;
  }
  LightEquations sums;
  sums.gram << xx, xy, xz, x1, xy, yy, yz, y1, xz, yz, zz, z1, x1, y1, z1, one;
  sums.right << bx, by, bz, b1;
  sums.pixels = pixels;
  return sums;
}

struct Solution {
  Eigen::Vector4d light = Eigen::Vector4d::Zero();  // (s, ambient)
  double condition = std::numeric_limits<double>::infinity();
};

template <int kUnknowns>
Solution solve(const LightEquations& sums) {
  using Square = Eigen::Matrix<double, kUnknowns, kUnknowns>;
  const Square gram = sums.gram.topLeftCorner<kUnknowns, kUnknowns>();
  const Eigen::SelfAdjointEigenSolver<Square> eigen(gram);
  Solution solution;
  const double smallest = eigen.eigenvalues()(0);
  if (sums.pixels < kUnknowns || !(smallest > 0.0)) return solution;
  solution.condition = eigen.eigenvalues()(kUnknowns - 1) / smallest;
  const Eigen::Matrix<double, kUnknowns, 1> rotated =
      eigen.eigenvectors().transpose() * sums.right.head<kUnknowns>();
  solution.light.head<kUnknowns>() =
      eigen.eigenvectors() * rotated.cwiseQuotient(eigen.eigenvalues());
  return solution;
}

Solution solve(const LightEquations& sums, bool ambient) {
  if (ambient) {
    const Solution solution = solve<4>(sums);
    if (solution.light(3) >= 0.0) return solution;
  }
  return solve<3>(sums);
}

// Frontal light of the strength that fits best; saturated pixels count too, there may be no others.
LightEstimate frontal(const Image& image, const NormalMap& map, const double* mean_albedo,
                      LightReason reason) {
  double cross = 0.0;
  double square = 0.0;
  LightEstimate light;
  for (Index p = 0; p < image.size(); ++p) {
    if (map.mask(p) == 0.0) continue;
    const double shading = (mean_albedo ? mean_albedo[p] : 1.0) * map.normals(2, p);
    cross += shading * image.data()[p];
    square += shading * shading;
    ++light.pixels_used;
  }
  const double strength = square > 0.0 ? std::max(0.0, cross / square) : 0.0;
  light.source.z() = strength;
  light.reason = strength > 0.0 || light.pixels_used == 0 ? reason : LightReason::kDark;
  return light;
}

LightEstimate estimate(const Image& image, const NormalMap& map, const double* mean_albedo,
                       const LightOptions& options) {
  const LightEquations all = accumulate(image, map, mean_albedo, options, Eigen::Vector3d::Zero(),
                                        std::numeric_limits<double>::infinity());
  const double least_pixels = options.least_lit * static_cast<double>(all.pixels);
  Index pixels = all.pixels;
  Solution solution = solve(all, options.ambient);
  LightEstimate light;
  light.reason = LightReason::kEstimated;
  for (int round = 0; round < options.rounds && solution.condition <= options.max_condition;
       ++round) {
    const Eigen::Vector3d s = solution.light.head<3>();
    // Most of a face is lit: it is quicker to take the rest away.
    const LightEquations lit =
        all - accumulate(image, map, mean_albedo, options, s, options.lit_cosine * s.norm());
    const Solution next = solve(lit, options.ambient);
    if (static_cast<double>(lit.pixels) < least_pixels ||
        !(next.condition <= options.max_condition)) {
      light.reason = LightReason::kShadowed;
      break;
    }
    pixels = lit.pixels;
    solution = next;
  }
  if (!(solution.condition <= options.max_condition)) {
    return frontal(image, map, mean_albedo, LightReason::kIllConditioned);
  }
  if (!(solution.light.z() > 0.0)) {
    return frontal(image, map, mean_albedo, LightReason::kBehind);
  }
  light.source = solution.light.head<3>();
  light.ambient = solution.light(3);
  light.pixels_used = pixels;
  light.condition = solution.condition;
  return light;
}

void check_albedo(const VectorRef& mean_albedo, const NormalMap& map) {
  if (mean_albedo.size() != map.size.pixels()) {
    throw Error("The mean albedo has {} pixels, the normal map {}.", mean_albedo.size(),
                map.size.pixels());
  }
  if (!mean_albedo.allFinite()) {
    throw Error("The mean albedo holds values that are not finite numbers.");
  }
}

}  // namespace

void LightOptions::check() const {
  if (rounds < 0) throw Error("rounds of the light estimate is {}, must be >= 0.", rounds);
  if (!(lit_cosine >= 0.0 && lit_cosine <= 1.0)) {
    throw Error("lit_cosine of the light estimate is {}, must be 0 to 1.", lit_cosine);
  }
  if (!(least_lit >= 0.0 && least_lit <= 1.0)) {
    throw Error("least_lit of the light estimate is {}, must be 0 to 1.", least_lit);
  }
  if (!(saturated > 0.0)) {
    throw Error("saturated of the light estimate is {}, must be > 0.", saturated);
  }
  if (!(max_condition > 1.0)) {
    throw Error("max_condition of the light estimate is {}, must be > 1.", max_condition);
  }
}

std::string_view to_string(LightReason reason) {
  switch (reason) {
    case LightReason::kEstimated:
      return "estimated";
    case LightReason::kShadowed:
      return "estimated, too much shadow to refine";
    case LightReason::kBehind:
      return "frontal, the estimate was behind the face";
    case LightReason::kIllConditioned:
      return "frontal, too few usable pixels";
    case LightReason::kDark:
      return "none, the face is black";
  }
  return "";
}

void check_fits(const Image& image, const NormalMap& map) {
  check_image(image, "The photo");
  if (size_of(image) != map.size) {
    throw Error("The photo has {} pixels, the normal map {}.", to_string(size_of(image)),
                to_string(map.size));
  }
}

LightEstimate estimate_light_paper(const Image& image, const NormalMap& map) {
  check_fits(image, map);
  LightOptions options;
  options.rounds = 0;
  options.saturated = std::numeric_limits<double>::infinity();
  return estimate(image, map, nullptr, options);
}

LightEstimate estimate_light(const Image& image, const NormalMap& map, const VectorRef& mean_albedo,
                             const LightOptions& options) {
  options.check();
  check_fits(image, map);
  check_albedo(mean_albedo, map);
  return estimate(image, map, mean_albedo.data(), options);
}

LightEstimate estimate_several_lights(const Image& image, const NormalMap& map,
                                      const VectorRef& mean_albedo, const MatrixRef& directions,
                                      const LightOptions& options) {
  options.check();
  check_fits(image, map);
  check_albedo(mean_albedo, map);
  if (directions.rows() != 3 || directions.cols() == 0 || !directions.allFinite()) {
    throw Error("The candidate lights must be finite 3-vectors, one per column.");
  }
  std::vector<Index> used;
  for (Index p = 0; p < image.size(); ++p) {
    if (map.mask(p) != 0.0 && image.data()[p] <= options.saturated) used.push_back(p);
  }
  const Index k = directions.cols();
  const auto rows = static_cast<Index>(used.size());
  if (rows == 0) return frontal(image, map, mean_albedo.data(), LightReason::kIllConditioned);
  Matrix shading(rows, k + 1);
  shading.leftCols(k).noalias() = map.normals(Eigen::all, used).transpose() * directions;
  shading.leftCols(k) = shading.leftCols(k).cwiseMax(0.0);
  shading.col(k).setOnes();
  const Vector albedo = mean_albedo(used);
  const NnlsResult weights = nnls(albedo.asDiagonal() * shading, image.reshaped()(used));

  LightEstimate light;
  std::vector<Index> on;
  for (Index j = 0; j < k; ++j) {
    if (weights.x(j) > kFaintest * weights.x.maxCoeff()) on.push_back(j);
  }
  if (on.empty()) return frontal(image, map, mean_albedo.data(), LightReason::kIllConditioned);
  light.sources = directions(Eigen::all, on) * weights.x(on).asDiagonal();
  light.source = light.sources.rowwise().sum();
  light.ambient = weights.x(k);
  light.pixels_used = rows;
  light.reason = LightReason::kEstimated;
  return light;
}

double shading_at(const Eigen::Vector3d& normal, const LightEstimate& light) {
  if (light.sources.cols() == 0) return std::max(normal.dot(light.source), 0.0) + light.ambient;
  double sum = light.ambient;
  for (Index k = 0; k < light.sources.cols(); ++k) {
    sum += std::max(normal.dot(light.sources.col(k)), 0.0);
  }
  return sum;
}

}  // namespace longshot
