// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/albedo_prior.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"

namespace longshot {
namespace {

constexpr Index kBlock = 32;  // photos; fixes the order of summation

void require_of_prior(bool holds, const char* field, double value, const char* range) {
  if (!holds) throw Error("{} of the albedo prior is {}, must be {}.", field, value, range);
}

Image photo(const MatrixRef& photos, Index i, Size size) {
  return photos.col(i).reshaped(size.rows, size.cols);
}

struct Moments {
  Vector weight;  // pixels
  Vector first;
  Vector second;

  explicit Moments(Index pixels)
      : weight(Vector::Zero(pixels)), first(Vector::Zero(pixels)), second(Vector::Zero(pixels)) {}
};

// Sums of add(i, moments) over `items`, block by block, so that threads change nothing.
template <typename Add>
Moments sum_over(const std::vector<Index>& items, Index pixels, const Add& add) {
  const auto count = static_cast<Index>(items.size());
  std::vector<Moments> parts(static_cast<std::size_t>((count + kBlock - 1) / kBlock),
                             Moments(pixels));
  parallel_blocks(count, kBlock, [&](Index begin, Index end) {
    Moments& part = parts[static_cast<std::size_t>(begin / kBlock)];
    for (Index i = begin; i < end; ++i) add(items[static_cast<std::size_t>(i)], part);
  });
  Moments total(pixels);
  for (const Moments& part : parts) {
    total.weight += part.weight;
    total.first += part.first;
    total.second += part.second;
  }
  return total;
}

void add_mirrored(Moments& moments, Size size) {
  for (Vector* sum : {&moments.weight, &moments.first, &moments.second}) {
    const Matrix once = sum->reshaped(size.rows, size.cols);
    sum->reshaped(size.rows, size.cols) += once.rowwise().reverse();
  }
}

double median_in_mask(const Vector& values, const Vector& mask) {
  std::vector<double> inside;
  for (Index p = 0; p < values.size(); ++p) {
    if (mask(p) != 0.0) inside.push_back(values(p));
  }
  if (inside.empty()) return 1.0;
  const auto middle = inside.begin() + static_cast<std::ptrdiff_t>(inside.size() / 2);
  std::nth_element(inside.begin(), middle, inside.end());
  return *middle > 0.0 ? *middle : 1.0;
}

// Median 1, nothing below its floor; 1 off the mask.
void normalise(AlbedoPrior& prior, const NormalMap& map, const AlbedoPriorOptions& options) {
  const double scale = 1.0 / median_in_mask(prior.mean, map.mask);
  for (Index p = 0; p < prior.mean.size(); ++p) {
    const bool inside = map.mask(p) != 0.0;
    const double mean = inside ? std::max(scale * prior.mean(p), options.least_mean) : 1.0;
    const double floor = options.least_deviation * mean;
    prior.mean(p) = mean;
    prior.variance(p) = std::max(scale * scale * (inside ? prior.variance(p) : 0.0), floor * floor);
  }
}

// The photos whose light is within `frontal_degrees`, or the most frontal ones.
std::vector<Index> frontal_photos(const std::vector<LightEstimate>& lights,
                                  const AlbedoPriorOptions& options) {
  std::vector<Index> order(lights.size());
  std::iota(order.begin(), order.end(), Index{0});
  const auto cosine = [&](Index i) {
    const LightEstimate& light = lights[static_cast<std::size_t>(i)];
    return light.is_fallback() ? -1.0 : light.source.z() / light.strength();
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return cosine(a) > cosine(b); });
  const double least = std::cos(options.frontal_degrees * std::numbers::pi / 180.0);
  std::size_t count = std::min(order.size(), static_cast<std::size_t>(options.least_frontal));
  while (count < order.size() && cosine(order[count]) >= least) ++count;
  order.resize(count);
  return order;
}

// Mean of the initial albedos, each pixel weighted by its shading.
AlbedoPrior start(const MatrixRef& photos, const NormalMap& map,
                  const AlbedoPriorOptions& options) {
  const auto count = static_cast<std::size_t>(photos.cols());
  std::vector<LightEstimate> lights(count);
  parallel_for(photos.cols(), [&](Index i) {
    lights[static_cast<std::size_t>(i)] = estimate_light_paper(photo(photos, i, map.size), map);
  });
  Moments moments =
      sum_over(frontal_photos(lights, options), map.size.pixels(), [&](Index i, Moments& sum) {
        const LightEstimate& light = lights[static_cast<std::size_t>(i)];
        const double strength = light.strength();
        if (!(strength > 0.0)) return;
        for (Index p = 0; p < map.size.pixels(); ++p) {
          const double shading = shading_at(map.normals.col(p), light) / strength;
          sum.weight(p) += shading * shading;
          sum.first(p) += shading * photos(p, i) / strength;
        }
      });
  if (options.symmetric) add_mirrored(moments, map.size);
  AlbedoPrior prior{map.size, Vector::Ones(map.size.pixels()), Vector::Zero(map.size.pixels())};
  for (Index p = 0; p < map.size.pixels(); ++p) {
    if (moments.weight(p) > 0.0)
      prior.mean(p) = std::max(0.0, moments.first(p) / moments.weight(p));
  }
  normalise(prior, map, options);
  prior.variance = (options.start_deviation * prior.mean).array().square();
  return prior;
}

}  // namespace

void AlbedoPriorOptions::check() const {
  light.check();
  albedo.check();
  require_of_prior(rounds >= 0, "rounds", rounds, ">= 0");
  require_of_prior(frontal_degrees >= 0.0 && frontal_degrees <= 90.0, "frontal_degrees",
                   frontal_degrees, "0 to 90");
  require_of_prior(least_frontal >= 1, "least_frontal", static_cast<double>(least_frontal), ">= 1");
  require_of_prior(start_deviation > 0.0, "start_deviation", start_deviation, "> 0");
  require_of_prior(least_deviation > 0.0, "least_deviation", least_deviation, "> 0");
  require_of_prior(least_mean > 0.0, "least_mean", least_mean, "> 0");
}

AlbedoPrior learn_albedo_prior(const MatrixRef& photos, const NormalMap& map,
                               const AlbedoPriorOptions& options) {
  options.check();
  map.check();
  if (photos.cols() == 0) throw Error("An albedo prior needs at least one training photo.");
  if (photos.rows() != map.size.pixels()) {
    throw Error("The training photos have {} pixels, the normal map {}.", photos.rows(),
                to_string(map.size));
  }
  AlbedoPrior prior = start(photos, map, options);
  std::vector<Index> all(static_cast<std::size_t>(photos.cols()));
  std::iota(all.begin(), all.end(), Index{0});
  for (int round = 0; round < options.rounds; ++round) {
    Moments moments = sum_over(all, map.size.pixels(), [&](Index i, Moments& sum) {
      const Image image = photo(photos, i, map.size);
      const LightEstimate light = estimate_light(image, map, prior.mean, options.light);
      if (!(light.strength() > 0.0)) return;
      const AlbedoEstimate estimate = estimate_albedo(image, map, prior, light, options.albedo);
      sum.weight.array() += 1.0;
      sum.first += estimate.albedo;
      sum.second.array() += estimate.albedo.array().square() +
                            prior.variance.array() * (1.0 - estimate.reliance.array());
    });
    if (options.symmetric) add_mirrored(moments, map.size);
    if (!(moments.weight.minCoeff() > 0.0)) break;
    prior.mean = moments.first.cwiseQuotient(moments.weight);
    prior.variance =
        moments.second.cwiseQuotient(moments.weight).array() - prior.mean.array().square();
    prior.mean = prior.mean.cwiseMax(0.0);
    prior.variance = prior.variance.cwiseMax(0.0);
    normalise(prior, map, options);
  }
  return prior;
}

}  // namespace longshot
