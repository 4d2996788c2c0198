// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/albedo.h"

#include <algorithm>
#include <cmath>

#include "longshot/core/error.h"

namespace longshot {
namespace {

void require_of_estimate(bool holds, const char* field, double value, const char* range) {
  if (!holds) throw Error("{} of the albedo estimate is {}, must be {}.", field, value, range);
}

// s' C s and the trace of a covariance stored as xx, xy, xz, yy, yz, zz.
double quadratic_form(const double* c, const Eigen::Vector3d& s) {
  return c[0] * s.x() * s.x() + c[3] * s.y() * s.y() + c[5] * s.z() * s.z() +
         2.0 * (c[1] * s.x() * s.y() + c[2] * s.x() * s.z() + c[4] * s.y() * s.z());
}

// Inverse of sd2 = Var(n.s) / (n.s)^2, the relative noise variance, for unit light `lit`.
double relative_precision(const NormalMap& map, Index p, double shading, const Eigen::Vector3d& lit,
                          bool several, const AlbedoOptions& options) {
  const double ss2 = options.light_sigma * options.light_sigma;
  double along = 0.0;
  double trace = 0.0;
  if (map.covariance.cols() > 0) {
    const double* c = map.covariance.data() + 6 * p;
    along = quadratic_form(c, lit);
    trace = c[0] + c[3] + c[5];
  } else {
    // Sn = sigma_n^2 (I - n n')
    const double sn2 = options.normal_sigma * options.normal_sigma;
    const double across = map.normals.col(p).dot(lit);
    along = sn2 * std::max(0.0, lit.squaredNorm() - across * across);
    trace = 2.0 * sn2;
  }
  // Of a mixture only its total is uncertain: one percent of the shading's square.
  const double of_light = several ? 0.01 * shading * shading : ss2 + ss2 * trace;
  return shading * shading / (along + of_light);
}

// rho0 and its relative precision (0: tells nothing) at every pixel of the mask.
void observe(const Image& image, const NormalMap& map, const LightEstimate& light,
             const AlbedoOptions& options, double* albedo, double* precision) {
  const double strength = light.strength();
  const bool several = light.sources.cols() > 0;
  const double inverse = 1.0 / strength;
  const Eigen::Vector3d unit = light.source * inverse;
  const double ambient = light.ambient * inverse;
  const double inverse_tau2 = 1.0 / (options.tau * options.tau);
  const bool by_cosine = options.noise == AlbedoNoise::kCosine;
  for (Index p = 0; p < image.size(); ++p) {
    albedo[p] = 0.0;
    precision[p] = 0.0;
    if (map.mask(p) == 0.0) continue;
    Eigen::Vector3d lit = unit;
    double shading = 0.0;
    if (several) {
      lit.setZero();
      for (Index k = 0; k < light.sources.cols(); ++k) {
        if (map.normals.col(p).dot(light.sources.col(k)) > 0.0) lit += light.sources.col(k);
      }
      lit *= inverse;
      shading = map.normals.col(p).dot(lit) + ambient;
    } else {
      shading = std::max(map.normals.col(p).dot(unit), 0.0) + ambient;
    }
    if (!(shading >= options.shadow_cosine)) continue;
    albedo[p] = image.data()[p] * inverse / shading;
    if (by_cosine) {
      const double floored = std::max(shading, options.cosine_floor);
      precision[p] = inverse_tau2 * floored * floored;
    } else {
      precision[p] = relative_precision(map, p, shading, lit, several, options);
    }
    if (image.data()[p] > options.saturated) precision[p] /= options.suspect_noise;
  }
}

// Median of rho0 / mean over the pixels that tell something; 1 if there is none or it is 0.
// `scratch` has room for one value per pixel.
double scale_of(const double* albedo, const double* precision, const Vector& mean,
                double* scratch) {
  Index count = 0;
  for (Index p = 0; p < mean.size(); ++p) {
    if (precision[p] > 0.0) scratch[count++] = albedo[p] / mean(p);
  }
  if (count == 0) return 1.0;
  std::nth_element(scratch, scratch + count / 2, scratch + count);
  const double median = scratch[count / 2];
  return median > 0.0 ? median : 1.0;
}

// The prior's pixel and what turns relative precision into noise variance.
struct PixelPrior {
  double mean;
  double variance;
  double noise_scale;  // noise variance = noise_scale / precision

  PixelPrior(const AlbedoPrior& prior, Index p, AlbedoNoise noise)
      : mean(prior.mean(p)),
        variance(prior.variance(p)),
        noise_scale(mean * mean + (noise == AlbedoNoise::kNormals ? variance : 0.0)) {}
};

struct AlbedoObservation {
  double albedo;
  double precision;
  double ratio;  // albedo over the mean: what mirrored pixels have in common

  AlbedoObservation(double rho0, double relative_precision, double mean,
                    const AlbedoOptions& options)
      : albedo(rho0), precision(relative_precision), ratio(rho0 / mean) {
    // Ramps, because a threshold would draw its contour on the face.
    const double dark = std::clamp(2.0 - ratio / options.suspect_below, 0.0, 1.0);
    const double bright = std::clamp(ratio / options.suspect_above - 1.0, 0.0, 1.0);
    precision *= 1.0 - std::max(dark, bright) * (1.0 - 1.0 / options.suspect_noise);
  }
};

// Posterior mean with the pixel's own observation and, where given, that of its mirror image.
void fuse(const PixelPrior& prior, const AlbedoObservation& own, const AlbedoObservation* other,
          const AlbedoOptions& options, double& albedo, double& reliance) {
  const double w1 = prior.variance * own.precision / prior.noise_scale;
  double w2 = 0.0;
  if (other && other->precision > 0.0) {
    const double extra = options.asymmetry_mean * prior.mean;
    w2 = prior.variance / (prior.noise_scale / other->precision +
                           options.asymmetry * prior.variance + extra * extra);
  }
  const double inverse = 1.0 / (1.0 + w1 + w2);
  albedo =
      (prior.mean + w1 * own.albedo + (w2 > 0.0 ? w2 * prior.mean * other->ratio : 0.0)) * inverse;
  reliance = 1.0 - inverse;
}

void copy_off_the_mask(const Image& image, const NormalMap& map, AlbedoEstimate& estimate) {
  for (Index p = 0; p < image.size(); ++p) {
    if (map.mask(p) != 0.0) continue;
    estimate.albedo(p) = image.data()[p] / estimate.gain;
    estimate.reliance(p) = 1.0;
  }
}

// Sums over the (2h + 1)^2 window of every pixel, cut at the border.
Matrix window_sums(const Matrix& values, Index h) {
  const auto along_rows = [h](const Matrix& in) {
    Matrix out(in.rows(), in.cols());
    for (Index r = 0; r < in.rows(); ++r) {
      const Index first = std::max<Index>(0, r - h);
      const Index last = std::min<Index>(in.rows() - 1, r + h);
      out.row(r) = in.middleRows(first, last - first + 1).colwise().sum();
    }
    return out;
  };
  return along_rows(along_rows(values).transpose()).transpose();
}

}  // namespace

void AlbedoPrior::check() const {
  if (mean.size() != size.pixels() || variance.size() != size.pixels()) {
    throw Error("An albedo prior of {} needs one mean and one variance for every pixel.",
                to_string(size));
  }
  if (!mean.allFinite() || !variance.allFinite() || (mean.array() <= 0.0).any() ||
      (variance.array() < 0.0).any()) {
    throw Error("An albedo prior needs finite means > 0 and variances >= 0.");
  }
}

void AlbedoOptions::check() const {
  require_of_estimate(tau > 0.0, "tau", tau, "> 0");
  require_of_estimate(cosine_floor > 0.0, "cosine_floor", cosine_floor, "> 0");
  require_of_estimate(normal_sigma >= 0.0, "normal_sigma", normal_sigma, ">= 0");
  require_of_estimate(light_sigma > 0.0, "light_sigma", light_sigma, "> 0");
  require_of_estimate(shadow_cosine > 0.0, "shadow_cosine", shadow_cosine, "> 0");
  require_of_estimate(saturated > 0.0, "saturated", saturated, "> 0");
  require_of_estimate(suspect_below > 0.0, "suspect_below", suspect_below, "> 0");
  require_of_estimate(suspect_above > suspect_below, "suspect_above", suspect_above,
                      "> suspect_below");
  require_of_estimate(suspect_noise >= 1.0, "suspect_noise", suspect_noise, ">= 1");
  require_of_estimate(asymmetry >= 0.0, "asymmetry", asymmetry, ">= 0");
  require_of_estimate(asymmetry_mean >= 0.0, "asymmetry_mean", asymmetry_mean, ">= 0");
  require_of_estimate(window >= 1 && window <= 50, "window", static_cast<double>(window),
                      "1 to 50");
}

Vector initial_albedo(const Image& image, const NormalMap& map, const LightEstimate& light,
                      double eps) {
  check_fits(image, map);
  require_of_estimate(eps > 0.0, "eps", eps, "> 0");
  const double least = eps * light.strength();
  Vector albedo = Vector::Zero(image.size());
  if (least == 0.0) return albedo;
  for (Index p = 0; p < image.size(); ++p) {
    if (map.mask(p) == 0.0) continue;
    albedo(p) = image.data()[p] / std::max(shading_at(map.normals.col(p), light), least);
  }
  return albedo;
}

AlbedoEstimate estimate_albedo(const Image& image, const NormalMap& map, const AlbedoPrior& prior,
                               const LightEstimate& light, const AlbedoOptions& options) {
  options.check();
  check_fits(image, map);
  if (prior.size != map.size) {
    throw Error("The albedo prior has {} pixels, the normal map {}.", to_string(prior.size),
                to_string(map.size));
  }
  AlbedoEstimate estimate{Vector(image.size()), Vector(image.size()), 1.0};
  if (!(light.strength() > 0.0)) {
    estimate.albedo = prior.mean;
    estimate.reliance.setZero();
    copy_off_the_mask(image, map, estimate);
    return estimate;
  }
  double* albedo = estimate.albedo.data();
  double* precision = estimate.reliance.data();
  observe(image, map, light, options, albedo, precision);
  estimate.gain = light.strength();
  if (options.match_scale) {
    Vector scratch(image.size());
    const double scale = scale_of(albedo, precision, prior.mean, scratch.data());
    estimate.albedo /= scale;
    estimate.gain *= scale;
  }
  // Mirrored pixels are fused in pairs, in place.
  const Index rows = image.rows();
  const Index cols = image.cols();
  for (Index col = 0; col < (cols + 1) / 2; ++col) {
    const Index other_col = cols - 1 - col;
    for (Index row = 0; row < rows; ++row) {
      const Index p = col * rows + row;
      const Index q = other_col * rows + row;
      const PixelPrior prior_p(prior, p, options.noise);
      const PixelPrior prior_q(prior, q, options.noise);
      const AlbedoObservation at_p(albedo[p], precision[p], prior_p.mean, options);
      const AlbedoObservation at_q(albedo[q], precision[q], prior_q.mean, options);
      const bool mirror = options.symmetry && p != q;
      fuse(prior_p, at_p, mirror ? &at_q : nullptr, options, albedo[p], precision[p]);
      if (p != q) fuse(prior_q, at_q, mirror ? &at_p : nullptr, options, albedo[q], precision[q]);
    }
  }
  copy_off_the_mask(image, map, estimate);
  return estimate;
}

AlbedoEstimate estimate_albedo_locally(const Image& image, const NormalMap& map,
                                       const LightEstimate& light, const AlbedoOptions& options) {
  options.check();
  check_fits(image, map);
  const Index rows = image.rows();
  const Index cols = image.cols();
  AlbedoEstimate estimate{Vector::Ones(image.size()), Vector::Zero(image.size()), 1.0};
  if (light.strength() > 0.0) {
    Matrix albedo(rows, cols);
    Matrix precision(rows, cols);
    observe(image, map, light, options, albedo.data(), precision.data());
    estimate.gain = light.strength();
    if (options.symmetry) {
      const double extra = options.asymmetry_mean * options.asymmetry_mean;
      const Matrix other = precision.rowwise().reverse().unaryExpr(
          [&](double q) { return q > 0.0 ? 1.0 / (1.0 / q + extra) : 0.0; });
      const Matrix total = precision + other;
      albedo = (albedo.array() * precision.array() +
                albedo.rowwise().reverse().array() * other.array()) /
               total.array().max(1e-300);
      // Off the mask the mirrored pixel would count as an observation of what is not face.
      precision = total.array() * map.mask.reshaped(rows, cols).array();
    }
    // 1 / (sd2 + 0.01) as a function of the precision 1 / sd2.
    const Matrix weight = precision.array() / (1.0 + 0.01 * precision.array());
    const Matrix weights = window_sums(weight, options.window);
    const Matrix first = window_sums(weight.cwiseProduct(albedo), options.window);
    const Matrix second = window_sums(weight.cwiseProduct(albedo.cwiseAbs2()), options.window);
    const double all = weight.sum();
    const double overall = all > 0.0 ? weight.cwiseProduct(albedo).sum() / all : 1.0;
    for (Index p = 0; p < image.size(); ++p) {
      const double w = weights.data()[p];
      const double mean = w > 0.0 ? first.data()[p] / w : overall;
      const double spread = w > 0.0 ? std::max(0.0, second.data()[p] / w - mean * mean) : 0.0;
      double alpha = 0.0;
      if (precision.data()[p] > 0.0 && spread > 0.0) {
        const double sd2 = 1.0 / precision.data()[p];
        alpha = std::max(0.0, (spread - mean * mean * sd2) / (1.0 + sd2)) / spread;
      }
      estimate.albedo(p) = (1.0 - alpha) * mean + alpha * albedo.data()[p];
      estimate.reliance(p) = alpha;
    }
  }
  copy_off_the_mask(image, map, estimate);
  return estimate;
}

}  // namespace longshot
