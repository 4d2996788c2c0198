// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/albedo.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

LightEstimate known_light(const Eigen::Vector3d& source, double ambient = 0.0) {
  LightEstimate light;
  light.source = source;
  light.ambient = ambient;
  light.reason = LightReason::kEstimated;
  return light;
}

AlbedoPrior flat_prior(Size size, double mean, double deviation) {
  return {size, Vector::Constant(size.pixels(), mean),
          Vector::Constant(size.pixels(), deviation * deviation)};
}

// Trusts the photo wherever there is light.
AlbedoOptions trusting() {
  AlbedoOptions options;
  options.noise = AlbedoNoise::kCosine;
  options.tau = 1e-7;
  options.symmetry = false;
  options.suspect_noise = 1.0;
  return options;
}

TEST(InitialAlbedo, IsExactInTheLight) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = 0.8 * unit_vector({40, 10});
  const Vector initial = initial_albedo(render(map, albedo, source), map, known_light(source));
  for (Index p = 0; p < albedo.size(); ++p) {
    if (map.mask(p) == 0.0) {
      EXPECT_EQ(initial(p), 0.0);
    } else if (map.normals.col(p).dot(source) > 0.05 * 0.8) {
      EXPECT_NEAR(initial(p), albedo(p), 1e-10);
    }
  }
}

TEST(InitialAlbedo, WithThePapersLightIsConstantForConstantAlbedo) {
  NormalMap map = test_face_map();
  const Eigen::Vector3d source = 0.8 * unit_vector({30, 20});
  for (Index p = 0; p < map.size.pixels(); ++p) {
    if (map.normals.col(p).dot(source) <= 0.05) map.mask(p) = 0.0;
  }
  const Image image = render(map, Vector::Constant(map.size.pixels(), 0.6), source);
  const Vector initial = initial_albedo(image, map, estimate_light_paper(image, map));
  EXPECT_LT((initial - map.mask).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(Albedo, OfAPreciselyKnownSceneIsTheTruth) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = 0.7 * unit_vector({35, 15});
  const AlbedoEstimate estimate =
      estimate_albedo(render(map, albedo, source, 0.1), map, flat_prior(map.size, 0.65, 0.2),
                      known_light(source, 0.1), trusting());
  EXPECT_NEAR(estimate.gain, 0.7, 1e-12);
  for (Index p = 0; p < albedo.size(); ++p) {
    if (map.mask(p) != 0.0) {
      EXPECT_NEAR(estimate.albedo(p), albedo(p), 1e-8) << p;
    }
  }
}

TEST(Albedo, InShadowIsThePriorsMean) {
  const NormalMap map = test_face_map();
  const Eigen::Vector3d source = unit_vector({80, 0});
  const Image image = render(map, test_albedo(map.size), source);
  AlbedoPrior prior = flat_prior(map.size, 0.65, 0.2);
  prior.mean = test_albedo(map.size).reverse();
  for (const AlbedoNoise noise : {AlbedoNoise::kCosine, AlbedoNoise::kNormals}) {
    AlbedoOptions options;
    options.noise = noise;
    options.symmetry = false;
    const AlbedoEstimate estimate =
        estimate_albedo(image, map, prior, known_light(source), options);
    int shadowed = 0;
    for (Index p = 0; p < image.size(); ++p) {
      if (map.mask(p) == 0.0 || map.normals.col(p).dot(source) >= 0.05) continue;
      EXPECT_EQ(estimate.albedo(p), prior.mean(p));
      EXPECT_EQ(estimate.reliance(p), 0.0);
      ++shadowed;
    }
    EXPECT_GT(shadowed, 300);
  }
}

TEST(Albedo, RelianceFallsTowardsTheShadow) {
  const NormalMap map = test_face_map();
  const Eigen::Vector3d source = unit_vector({60, 0});
  const Image image = render(map, Vector::Constant(map.size.pixels(), 0.7), source);
  for (const AlbedoNoise noise : {AlbedoNoise::kCosine, AlbedoNoise::kNormals}) {
    AlbedoOptions options;
    options.noise = noise;
    options.symmetry = false;
    const AlbedoEstimate estimate =
        estimate_albedo(image, map, flat_prior(map.size, 0.7, 0.1), known_light(source), options);
    Index bright = 0;
    Index dim = 0;
    for (Index p = 0; p < image.size(); ++p) {
      const double cosine = map.normals.col(p).dot(source);
      if (map.mask(p) == 0.0) continue;
      if (cosine > 0.9) bright = p;
      if (cosine > 0.1 && cosine < 0.2) dim = p;
    }
    EXPECT_GT(estimate.reliance(bright), 2.0 * estimate.reliance(dim));
  }
}

// One pixel by hand: alpha = var / (var + noise).
TEST(Albedo, IsTheWienerEstimateOfItsNoiseModel) {
  NormalMap map = test_face_map({1, 1});
  map.normals.col(0) = Eigen::Vector3d(0.6, 0.0, 0.8);
  map.mask(0) = 1.0;
  const AlbedoPrior prior = flat_prior({1, 1}, 0.5, 0.1);
  const LightEstimate light = known_light(Eigen::Vector3d(0, 0, 2.0));
  const Image image = Image::Constant(1, 1, 0.96);  // rho0 = 0.96 / (2 0.8) = 0.6
  AlbedoOptions options;
  options.noise = AlbedoNoise::kCosine;
  options.tau = 0.16;
  double noise = std::pow(0.16 / 0.8 * 0.5, 2);
  double alpha = 0.01 / (0.01 + noise);
  EXPECT_NEAR(estimate_albedo(image, map, prior, light, options).albedo(0), 0.5 + 0.1 * alpha,
              1e-12);
  options.noise = AlbedoNoise::kNormals;
  options.normal_sigma = 0.2;
  options.light_sigma = 0.1;
  const double v = 0.04 * (1.0 - 0.64) + 0.01 + 0.01 * 0.08;
  noise = (0.01 + 0.25) * v / 0.64;
  alpha = 0.01 / (0.01 + noise);
  EXPECT_NEAR(estimate_albedo(image, map, prior, light, options).albedo(0), 0.5 + 0.1 * alpha,
              1e-12);
  map.covariance = Matrix(6, 1);
  map.covariance << 0.04, 0.0, 0.0, 0.03, 0.0, 0.01;
  noise = (0.01 + 0.25) * (0.01 + 0.01 + 0.01 * 0.08) / 0.64;
  alpha = 0.01 / (0.01 + noise);
  EXPECT_NEAR(estimate_albedo(image, map, prior, light, options).albedo(0), 0.5 + 0.1 * alpha,
              1e-12);
}

TEST(Albedo, TheMirroredPixelFillsTheShadow) {
  const NormalMap map = test_face_map();
  Vector albedo = test_albedo(map.size);
  const Matrix once = albedo.reshaped(48, 40);
  albedo.reshaped(48, 40) = 0.5 * (once + once.rowwise().reverse());
  const Eigen::Vector3d source = unit_vector({70, 0});
  const Image image = render(map, albedo, source);
  const AlbedoPrior prior = flat_prior(map.size, 0.65, 0.2);
  AlbedoOptions options;
  const auto error = [&](bool symmetry) {
    options.symmetry = symmetry;
    const AlbedoEstimate estimate =
        estimate_albedo(image, map, prior, known_light(source), options);
    return (estimate.albedo - albedo).cwiseProduct(map.mask).norm();
  };
  EXPECT_LT(error(true), 0.8 * error(false));
}

TEST(Albedo, FlipsWithThePhoto) {
  const NormalMap map = test_face_map();
  const Eigen::Vector3d source = unit_vector({50, 10});
  const Image image = render(map, test_albedo(map.size), source);
  const AlbedoPrior prior = flat_prior(map.size, 0.65, 0.2);
  const Vector once = estimate_albedo(image, map, prior, known_light(source)).albedo;
  const Vector flipped =
      estimate_albedo(flip(image), flip(map), prior, known_light(unit_vector({-50, 10}))).albedo;
  EXPECT_LT((flipped.reshaped(48, 40) - once.reshaped(48, 40).rowwise().reverse()).norm(), 1e-10);
}

TEST(Albedo, MatchScaleBringsThePapersLightToThePriorsScale) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Image image = render(map, albedo, 0.9 * unit_vector({10, 5}));
  const AlbedoPrior prior = {map.size, albedo, (0.1 * albedo).cwiseAbs2()};
  AlbedoOptions options;
  options.match_scale = true;
  const AlbedoEstimate estimate =
      estimate_albedo(image, map, prior, estimate_light_paper(image, map), options);
  EXPECT_NEAR(estimate.gain, 0.9, 0.05);
  options.match_scale = false;
  const AlbedoEstimate unmatched =
      estimate_albedo(image, map, prior, estimate_light_paper(image, map), options);
  EXPECT_LT((estimate.albedo - albedo).cwiseProduct(map.mask).norm(),
            0.3 * (unmatched.albedo - albedo).cwiseProduct(map.mask).norm());
}

TEST(Albedo, SuspectPixelsCountLess) {
  const Index pixel = 10 * 48 + 24;
  const NormalMap map = test_face_map();
  const Eigen::Vector3d source = unit_vector({0, 0});
  const Image plain = render(map, Vector::Constant(map.size.pixels(), 0.2), source);
  const AlbedoPrior prior = flat_prior(map.size, 0.2, 0.05);
  AlbedoOptions options;
  options.symmetry = false;
  const double before =
      estimate_albedo(plain, map, prior, known_light(source), options).reliance(pixel);
  for (const double factor : {0.05, 3.5}) {  // a cast shadow, a highlight
    Image image = plain;
    image.reshaped()(pixel) *= factor;
    const double after =
        estimate_albedo(image, map, prior, known_light(source), options).reliance(pixel);
    EXPECT_NEAR(after / (1.0 - after), before / (1.0 - before) / options.suspect_noise, 1e-9);
  }
}

TEST(Albedo, WithSeveralLightsIsExactToo) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  LightEstimate light;
  light.sources = Matrix(3, 2);
  light.sources << 0.5 * unit_vector({60, 0}), 0.3 * unit_vector({-60, 20});
  light.source = light.sources.rowwise().sum();
  light.ambient = 0.1;
  const Image image =
      render(map, albedo, light.sources.col(0), 0.1) + render(map, albedo, light.sources.col(1));
  AlbedoOptions options = trusting();
  const AlbedoEstimate estimate =
      estimate_albedo(image, map, flat_prior(map.size, 0.65, 0.2), light, options);
  EXPECT_LT((estimate.albedo - albedo).cwiseProduct(map.mask).lpNorm<Eigen::Infinity>(), 1e-8);
  options.noise = AlbedoNoise::kNormals;
  EXPECT_TRUE(estimate_albedo(image, map, flat_prior(map.size, 0.65, 0.2), light, options)
                  .albedo.allFinite());
}

TEST(LocalAlbedo, KeepsConstantAlbedoAndFillsShadows) {
  const NormalMap map = test_face_map();
  const Eigen::Vector3d source = 0.5 * unit_vector({75, 0});
  const Image image = render(map, Vector::Constant(map.size.pixels(), 0.8), source);
  for (const bool symmetry : {false, true}) {
    AlbedoOptions options;
    options.symmetry = symmetry;
    const AlbedoEstimate estimate =
        estimate_albedo_locally(image, map, known_light(source), options);
    for (Index p = 0; p < image.size(); ++p) {
      if (map.mask(p) != 0.0) {
        EXPECT_NEAR(estimate.albedo(p), 0.8, 1e-9);
      }
    }
  }
}

TEST(LocalAlbedo, KeepsTextureInTheLight) {
  const NormalMap map = test_face_map();
  const Vector albedo = test_albedo(map.size);
  const Eigen::Vector3d source = unit_vector({0, 0});
  AlbedoOptions options;
  options.noise = AlbedoNoise::kCosine;
  options.tau = 0.01;
  options.symmetry = false;
  const AlbedoEstimate estimate =
      estimate_albedo_locally(render(map, albedo, source), map, known_light(source), options);
  EXPECT_LT((estimate.albedo - albedo).cwiseProduct(map.mask).norm(),
            0.05 * albedo.cwiseProduct(map.mask).norm());
}

TEST(Albedo, SurvivesWhateverThePhotoHolds) {
  for (const Size size : {Size{48, 40}, Size{3, 3}, Size{1, 1}}) {
    NormalMap map = test_face_map(size);
    for (const bool masked : {true, false}) {
      if (!masked) map.mask.setZero();
      Image half = Image::Zero(size.rows, size.cols);
      half.leftCols((size.cols + 1) / 2).setOnes();
      for (const Image& image : {Image(Image::Zero(size.rows, size.cols)),
                                 Image(Image::Ones(size.rows, size.cols)), half}) {
        const LightEstimate light = estimate_light_paper(image, map);
        for (const bool match : {false, true}) {
          AlbedoOptions options;
          options.match_scale = match;
          const AlbedoEstimate estimate =
              estimate_albedo(image, map, flat_prior(size, 1.0, 0.2), light, options);
          EXPECT_TRUE(estimate.albedo.allFinite());
          EXPECT_TRUE(estimate.reliance.allFinite());
          EXPECT_GT(estimate.gain, 0.0);
        }
        EXPECT_TRUE(estimate_albedo_locally(image, map, light).albedo.allFinite());
        EXPECT_TRUE(initial_albedo(image, map, light).allFinite());
      }
    }
  }
}

TEST(Albedo, OfABlackPhotoIsThePriorsMean) {
  const NormalMap map = test_face_map();
  const Image black = Image::Zero(48, 40);
  AlbedoPrior prior = flat_prior(map.size, 1.0, 0.2);
  prior.mean = test_albedo(map.size);
  const AlbedoEstimate estimate =
      estimate_albedo(black, map, prior, estimate_light(black, map, prior.mean));
  EXPECT_EQ(estimate.albedo.cwiseProduct(map.mask), prior.mean.cwiseProduct(map.mask));
}

TEST(Albedo, RefusesBadInput) {
  const NormalMap map = test_face_map();
  const AlbedoPrior prior = flat_prior(map.size, 1.0, 0.2);
  const LightEstimate light = known_light(Eigen::Vector3d::UnitZ());
  Image image = Image::Ones(48, 40);
  EXPECT_THROW(estimate_albedo(image, map, flat_prior({40, 48}, 1.0, 0.2), light), Error);
  EXPECT_THROW(estimate_albedo(Image::Ones(40, 48), map, prior, light), Error);
  EXPECT_THROW(estimate_albedo(image, map, prior, light, {.tau = 0.0}), Error);
  EXPECT_THROW(estimate_albedo(image, map, prior, light, {.shadow_cosine = 0.0}), Error);
  EXPECT_THROW(estimate_albedo(image, map, prior, light, {.suspect_noise = 0.5}), Error);
  EXPECT_THROW(estimate_albedo(image, map, prior, light, {.window = 0}), Error);
  EXPECT_THROW(initial_albedo(image, map, light, 0.0), Error);
  image(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(estimate_albedo(image, map, prior, light), Error);
  EXPECT_THROW(estimate_albedo_locally(image, map, light), Error);
  AlbedoPrior bad = prior;
  bad.mean(3) = 0.0;
  EXPECT_THROW(bad.check(), Error);
  bad = prior;
  bad.variance(3) = -1.0;
  EXPECT_THROW(bad.check(), Error);
  bad = prior;
  bad.variance.resize(3);
  EXPECT_THROW(bad.check(), Error);
}

}  // namespace
}  // namespace longshot
