// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/baseline/training_pairs.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/recognize/baseline/rendered_people_test.h"

namespace longshot {
namespace {

TEST(TrainingPairs, SpacesGiveTheCentredFeatures) {
  const TrainingSet training = rendered_people::training(5, 3);
  for (const bool relit : {false, true}) {
    TrainingPairOptions options;
    options.relit = relit;
    const TrainingPairs pairs = make_training_pairs(training, options);
    ASSERT_EQ(pairs.size(), relit ? 15 + 15 * training.extender->images_per_photo() : 15);
    ASSERT_EQ(pairs.high.cols(), pairs.size());
    ASSERT_EQ(static_cast<Index>(pairs.subjects.size()), pairs.size());
    EXPECT_LT(pairs.low.rowwise().mean().norm(), 1e-12);
    EXPECT_LT(pairs.high.rowwise().mean().norm(), 1e-12);
    EXPECT_LT((pairs.high_space.features(training.photos_high) - pairs.high.leftCols(15)).norm(),
              1e-12);
    EXPECT_LT((pairs.low_space.features(training.photos_low()) - pairs.low.leftCols(15)).norm(),
              1e-12);
  }
}

TEST(TrainingPairs, RelitPairsBelongToTheirPhotos) {
  const TrainingSet training = rendered_people::training(4, 2);
  TrainingPairOptions options;
  options.relit = true;
  const TrainingPairs pairs = make_training_pairs(training, options);
  const Index per_photo = training.extender->images_per_photo();
  const PersonImages person = training.extender->extend(training.photos_high.col(5));
  const Index first = 8 + 5 * per_photo;
  EXPECT_LT((pairs.high.middleCols(first, per_photo) - pairs.high_space.features(person.relit_high))
                .norm(),
            1e-12);
  EXPECT_LT(
      (pairs.low.middleCols(first, per_photo) - pairs.low_space.features(person.relit_low)).norm(),
      1e-12);
  EXPECT_EQ(pairs.subjects[static_cast<std::size_t>(first)], 2);
}

TEST(TrainingPairs, TooManyAreThinnedEvenly) {
  const TrainingSet training = rendered_people::training(6, 2);
  TrainingPairOptions options;
  options.max_pairs = 6;
  const TrainingPairs photos = make_training_pairs(training, options);
  EXPECT_EQ(photos.subjects, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  options.relit = true;
  EXPECT_EQ(make_training_pairs(training, options).size(),
            6 + training.extender->images_per_photo());
  options.max_pairs = 1;
  EXPECT_THROW(make_training_pairs(training, options), Error);
}

TEST(TrainingPairs, CoupledModelHasUnitScale) {
  const TrainingSet training = rendered_people::training(5, 3);
  const TrainingPairs pairs = make_training_pairs(training, {});
  const Matrix low_map = 7.0 * Matrix::Identity(pairs.low.rows(), 3);
  const Matrix high_map = 7.0 * Matrix::Identity(pairs.high.rows(), 3);
  const NearestModel model = coupled_model(pairs, low_map, high_map);
  EXPECT_NEAR(model.probe.features(training.photos_low()).colwise().squaredNorm().mean(), 1.0,
              1e-12);
  const Matrix ratio =
      model.gallery.features(training.photos_high).cwiseQuotient(pairs.high.topRows(3));
  EXPECT_LT((ratio.array() - ratio(0, 0)).abs().maxCoeff(), 1e-9 * ratio(0, 0));
  EXPECT_THROW(coupled_model(pairs, 0.0 * low_map, high_map), Error);
}

TEST(TrainingMemo, MakesEachVariantOfEachTrainingSetOnce) {
  const TrainingSet one = rendered_people::training(3, 2);
  const TrainingSet other = rendered_people::training(3, 2, 500);
  TrainingMemo<int> memo;
  int made = 0;
  const auto make = [&] { return ++made; };
  EXPECT_EQ(*memo.get(one, 0, make), 1);
  EXPECT_EQ(*memo.get(other, 0, make), 2);
  EXPECT_EQ(*memo.get(one, 1, make), 3);
  EXPECT_EQ(*memo.get(one, 0, make), 1);
  EXPECT_EQ(*memo.get(other, 0, make), 2);
}

}  // namespace
}  // namespace longshot
