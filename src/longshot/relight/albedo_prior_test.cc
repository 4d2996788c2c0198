// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/albedo_prior.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/core/random.h"
#include "longshot/relight/light_sets.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

// A mean albedo that is symmetric with median 1, and people who differ from it pixel by pixel.
struct People {
  NormalMap map = test_face_map();
  Vector mean;
  Matrix photos;  // pixels x n

  explicit People(Index count, double deviation, bool frontal = false) {
    const Matrix once = test_albedo(map.size).reshaped(48, 40);
    mean = (0.5 * (once + once.rowwise().reverse())).reshaped();
    Vector inside = mean;
    std::nth_element(inside.begin(), inside.begin() + inside.size() / 2, inside.end());
    mean /= inside(inside.size() / 2);
    Random random(5);
    photos.resize(map.size.pixels(), count);
    for (Index i = 0; i < count; ++i) {
      Vector albedo = mean;
      for (double& value : albedo) value *= 1.0 + deviation * random.normal();
      const LightDirection light =
          frontal || i % 3 == 0 ? LightDirection{0, 0}
                                : LightDirection{random.uniform(-60, 60), random.uniform(-20, 40)};
      photos.col(i) = render(map, albedo, 0.5 * unit_vector(light)).reshaped();
    }
  }

  double relative_error(const AlbedoPrior& prior) const {
    return (prior.mean - mean).cwiseProduct(map.mask).norm() / mean.cwiseProduct(map.mask).norm();
  }
};

TEST(AlbedoPrior, FindsTheMeanAlbedo) {
  const People people(150, 0.1);
  const AlbedoPrior prior = learn_albedo_prior(people.photos, people.map);
  prior.check();
  EXPECT_LT(people.relative_error(prior), 0.1);
}

TEST(AlbedoPrior, FindsTheVariance) {
  const People people(150, 0.1, true);
  // Normals and light are nearly exact here, and left and right differ freely.
  AlbedoPriorOptions options;
  options.albedo.normal_sigma = 0.01;
  options.albedo.light_sigma = 0.01;
  options.albedo.symmetry = false;
  const AlbedoPrior prior = learn_albedo_prior(people.photos, people.map, options);
  const Vector deviation = prior.variance.cwiseSqrt().cwiseQuotient(prior.mean);
  EXPECT_NEAR(deviation.dot(people.map.mask) / people.map.mask.sum(), 0.1, 0.03);
}

TEST(AlbedoPrior, RoundsImproveOnTheStart) {
  const People people(150, 0.1);
  const double start =
      people.relative_error(learn_albedo_prior(people.photos, people.map, {.rounds = 0}));
  const double learnt = people.relative_error(learn_albedo_prior(people.photos, people.map));
  EXPECT_LT(learnt, start);
}

TEST(AlbedoPrior, IsSymmetricIfAsked) {
  const People people(10, 0.2);
  const Vector mean = learn_albedo_prior(people.photos, people.map).mean;
  EXPECT_LT((mean.reshaped(48, 40) - mean.reshaped(48, 40).rowwise().reverse()).norm(), 1e-9);
  const Vector free = learn_albedo_prior(people.photos, people.map, {.symmetric = false}).mean;
  EXPECT_GT((free.reshaped(48, 40) - free.reshaped(48, 40).rowwise().reverse()).norm(), 1e-3);
}

TEST(AlbedoPrior, DoesNotDependOnTheThreads) {
  const People people(70, 0.2);
  set_thread_count(1);
  const AlbedoPrior one = learn_albedo_prior(people.photos, people.map);
  set_thread_count(4);
  const AlbedoPrior four = learn_albedo_prior(people.photos, people.map);
  set_thread_count(0);
  EXPECT_EQ(one.mean, four.mean);
  EXPECT_EQ(one.variance, four.variance);
}

TEST(AlbedoPrior, SurvivesBlackWhiteTinyAndUnmaskedPhotos) {
  const NormalMap map = test_face_map();
  for (const double value : {0.0, 0.5, 1.0}) {
    learn_albedo_prior(Matrix::Constant(1920, 3, value), map).check();
  }
  learn_albedo_prior(Matrix::Constant(9, 1, 0.5), test_face_map({3, 3})).check();
  NormalMap nowhere = map;
  nowhere.mask.setZero();
  learn_albedo_prior(Matrix::Constant(1920, 3, 0.5), nowhere).check();
}

TEST(AlbedoPrior, RefusesBadInput) {
  const NormalMap map = test_face_map();
  Matrix photos = Matrix::Constant(1920, 3, 0.5);
  EXPECT_THROW(learn_albedo_prior(Matrix(1920, 0), map), Error);
  EXPECT_THROW(learn_albedo_prior(Matrix::Ones(10, 3), map), Error);
  EXPECT_THROW(learn_albedo_prior(photos, map, {.rounds = -1}), Error);
  EXPECT_THROW(learn_albedo_prior(photos, map, {.least_mean = 0.0}), Error);
  photos(7, 1) = std::numeric_limits<double>::infinity();
  EXPECT_THROW(learn_albedo_prior(photos, map), Error);
}

}  // namespace
}  // namespace longshot
