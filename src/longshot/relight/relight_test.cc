// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/relight.h"

#include <limits>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/parallel.h"
#include "longshot/relight/rendered_face.h"

namespace longshot {
namespace {

AlbedoPrior prior_around(const Vector& mean, Size size) {
  return {size, mean, (0.2 * mean).cwiseAbs2()};
}

RelightModel test_model(Size size = {48, 40}) {
  return {test_face_map(size), prior_around(test_albedo(size), size), mean_face_shape()};
}

Image column(const RelitSet& set, Index k) {
  return set.images.col(k).reshaped(48, 40);
}

TEST(RelightProfiles, HaveTheirCounts) {
  const RelightModel model = test_model();
  const Relighter paper(model, paper_profile());
  EXPECT_EQ(paper.labels().size(), 20u);
  EXPECT_EQ(paper.options().ambient, 0.0);
  EXPECT_FALSE(paper.options().keep_original);
  EXPECT_EQ(Relighter(model, best_profile()).labels().size(), 22u);
}

TEST(Relighter, RendersTheSceneUnderOtherLights) {
  const RelightModel model = test_model();
  const Vector albedo = test_albedo(model.normals.size);
  RelightOptions options;
  options.mirroring = Mirroring::kNone;
  options.off_face = OffFace::kBlack;
  const Image photo = render(model.normals, albedo, 0.5 * unit_vector({20, 10}));
  const RelitSet set = Relighter(model, options).relight(photo);
  ASSERT_EQ(set.images.cols(), 10);
  for (Index k = 0; k < 10; ++k) {
    // The prior is the truth here, so that light, gain and albedo are exact.
    const Vector expected = render(model.normals, albedo,
                                   0.5 * unit_vector(options.lights[static_cast<std::size_t>(k)]))
                                .reshaped()
                                .cwiseProduct(model.normals.mask);
    EXPECT_LT((set.images.col(k) - expected).lpNorm<Eigen::Infinity>(), 1e-8) << k;
  }
}

TEST(Relighter, AmbientLightLiftsTheShadows) {
  const RelightModel model = test_model();
  RelightOptions options;
  options.lights = {{80, 0}};
  options.mirroring = Mirroring::kNone;
  options.ambient = 0.1;
  const Image photo = render(model.normals, test_albedo({48, 40}), 0.5 * unit_vector({0, 0}));
  const RelitSet set = Relighter(model, options).relight(photo);
  EXPECT_GT(set.images.minCoeff(), 0.0);
}

TEST(Relighter, FlipsAreFlips) {
  const Relighter relighter(test_model(), best_profile());
  const Image photo = render(test_face_map(), test_albedo({48, 40}), 0.5 * unit_vector({30, 0}));
  const RelitSet set = relighter.relight(photo);
  const std::vector<RelitLabel>& labels = relighter.labels();
  ASSERT_EQ(set.images.cols(), 22);
  for (Index k = 0; k < 10; ++k) {
    EXPECT_EQ(column(set, k + 10), flip(column(set, k)));
    EXPECT_EQ(labels[static_cast<std::size_t>(k)].light,
              labels[static_cast<std::size_t>(k) + 10].light);
    EXPECT_FALSE(labels[static_cast<std::size_t>(k)].flipped);
    EXPECT_TRUE(labels[static_cast<std::size_t>(k) + 10].flipped);
  }
  EXPECT_EQ(column(set, 20), photo);
  EXPECT_EQ(column(set, 21), flip(photo));
  EXPECT_TRUE(labels[20].original && !labels[20].flipped);
  EXPECT_TRUE(labels[21].original && labels[21].flipped);
}

TEST(Relighter, ASymmetricFaceMakesFlipsAndMirroredLightsTheSame) {
  RelightModel model = test_model();
  const Matrix once = test_albedo({48, 40}).reshaped(48, 40);
  const Vector albedo = (0.5 * (once + once.rowwise().reverse())).reshaped();
  model.prior = prior_around(albedo, {48, 40});
  RelightOptions options;
  options.lights = {{40, 10}};
  options.cast_shadows = true;
  const Image photo = render(model.normals, albedo, 0.5 * unit_vector({0, 10}));
  options.mirroring = Mirroring::kFlip;
  const Matrix flips = Relighter(model, options).relight(photo).images;
  options.mirroring = Mirroring::kMirrorLight;
  const Matrix mirrors = Relighter(model, options).relight(photo).images;
  EXPECT_LT((flips - mirrors).lpNorm<Eigen::Infinity>(), 1e-6);
}

TEST(Relighter, MirroredLightsAreAddedOnce) {
  const RelightModel model = test_model();
  RelightOptions options;
  options.lights = {{0, 0}, {30, 10}, {-30, 10}, {50, 0}};
  options.mirroring = Mirroring::kMirrorLight;
  const Relighter mirror(model, options);
  ASSERT_EQ(mirror.labels().size(), 5u);
  EXPECT_EQ(mirror.labels()[4].light, (LightDirection{-50, 0}));
  options.mirroring = Mirroring::kBoth;
  options.keep_original = true;
  EXPECT_EQ(Relighter(model, options).labels().size(), 12u);
}

TEST(Relighter, CastShadowsOnlyDarken) {
  const RelightModel model = test_model();
  RelightOptions options;
  options.lights = {{70, 0}};
  const Image photo = render(model.normals, test_albedo({48, 40}), 0.5 * unit_vector({0, 0}));
  const Matrix without = Relighter(model, options).relight(photo).images;
  options.cast_shadows = true;
  const Matrix with = Relighter(model, options).relight(photo).images;
  EXPECT_LE((with - without).cwiseProduct(Matrix(model.normals.mask.replicate(1, 2))).maxCoeff(),
            1e-12);
  EXPECT_LT(with.sum(), without.sum());
  RelightModel shapeless = model;
  shapeless.shape.reset();
  EXPECT_EQ(Relighter(shapeless, options).relight(photo).images, without);
}

TEST(Relighter, TakesAnyOfTheLightMethodsWithAndWithoutAPrior) {
  RelightModel model = test_model();
  const Image photo = render(model.normals, test_albedo({48, 40}), 0.5 * unit_vector({20, 10}));
  for (const bool with_prior : {true, false}) {
    if (!with_prior) model.prior.reset();
    for (const LightMethod method :
         {LightMethod::kPaper, LightMethod::kSingle, LightMethod::kSeveral}) {
      RelightOptions options;
      options.light_method = method;
      const RelitSet set = relight(photo, model, options);
      EXPECT_EQ(set.images.cols(), 20);
      EXPECT_TRUE(set.images.allFinite());
      EXPECT_GT(set.light.source.x(), 0.0);
    }
  }
}

TEST(Relighter, ManyPhotosAreLikeOne) {
  const Relighter relighter(test_model(), paper_profile());
  std::vector<Image> photos;
  for (int i = 0; i < 20; ++i) {
    photos.push_back(
        render(test_face_map(), test_albedo({48, 40}), 0.5 * unit_vector({4.0 * i - 40, 0})));
  }
  const std::vector<RelitSet> sets = relighter.relight_all(photos);
  ASSERT_EQ(sets.size(), photos.size());
  for (std::size_t i = 0; i < photos.size(); ++i) {
    EXPECT_EQ(sets[i].images, relighter.relight(photos[i]).images);
  }
}

TEST(Relighter, SurvivesWhateverThePhotoHolds) {
  for (const Size size : {Size{48, 40}, Size{3, 3}}) {
    for (const bool masked : {true, false}) {
      for (const bool with_prior : {true, false}) {
        RelightModel model = test_model(size);
        if (!masked) model.normals.mask.setZero();
        if (!with_prior) model.prior.reset();
        Image half = Image::Zero(size.rows, size.cols);
        half.leftCols(size.cols / 2).setOnes();
        for (const RelightOptions& options : {paper_profile(), best_profile()}) {
          const Relighter relighter(model, options);
          for (const Image& photo : {Image(Image::Zero(size.rows, size.cols)),
                                     Image(Image::Ones(size.rows, size.cols)), half}) {
            const RelitSet set = relighter.relight(photo);
            EXPECT_TRUE(set.images.allFinite());
            EXPECT_GE(set.images.minCoeff(), 0.0);
          }
        }
      }
    }
  }
}

TEST(Relighter, RefusesBadInput) {
  const RelightModel model = test_model();
  const Relighter relighter(model, {});
  Image photo = Image::Ones(48, 40);
  EXPECT_THROW(relighter.relight(Image::Ones(40, 48)), Error);
  photo(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(relighter.relight(photo), Error);
  EXPECT_THROW(relighter.relight_all({Image::Ones(48, 40), photo}), Error);
  RelightOptions options;
  options.lights.clear();
  EXPECT_THROW(Relighter(model, options), Error);
  options = {};
  options.lights = {{120, 0}};
  EXPECT_THROW(Relighter(model, options), Error);
  options = {};
  options.ambient = -0.1;
  EXPECT_THROW(Relighter(model, options), Error);
  options = {};
  options.albedo.tau = 0.0;
  EXPECT_THROW(Relighter(model, options), Error);
  RelightModel unfit = model;
  unfit.prior = prior_around(test_albedo({3, 3}), {3, 3});
  EXPECT_THROW(Relighter(unfit, {}), Error);
}

}  // namespace
}  // namespace longshot
