// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/person_images.h"

#include <gtest/gtest.h>

#include "longshot/camera/small_people_test.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(ExtenderTest, RelightsAndDegradesEveryPhoto) {
  const SmallPeople& problem = small_people();
  const Matrix photos = problem.trained_high.leftCols(2);
  const PersonImages person = problem.extender->extend(photos);
  // Four lights and the photo, and their flips.
  EXPECT_EQ(person.relit_high.cols(), 2 * 10);
  EXPECT_EQ(person.relit_low.cols(), 2 * 10);
  EXPECT_EQ(person.photos_high, photos);
  EXPECT_EQ(person.photos_low, problem.extender->degrade(photos));
  EXPECT_EQ(person.relit_low, problem.extender->degrade(person.relit_high));

  const PersonImages second = problem.extender->extend(photos.rightCols(1));
  EXPECT_EQ(person.relit_high.rightCols(10), second.relit_high);
}

TEST(ExtenderTest, DegradesAsTheGeometrySays) {
  const SmallPeople& problem = small_people();
  const FaceGeometry& geometry = problem.geometry();
  const Vector photo = problem.trained_high.col(0);
  const Image low =
      degrade(photo.reshaped(geometry.high.rows, geometry.high.cols), geometry.low, geometry.op);
  EXPECT_TRUE(problem.extender->degrade(photo).isApprox(low.reshaped(), 1e-12));
}

TEST(ExtenderTest, AKeptRelitSetGivesTheSame) {
  const SmallPeople& problem = small_people();
  const Matrix photos = problem.trained_high.leftCols(1);
  const PersonImages kept = problem.extender->extend(photos, problem.extender->relit(photos));
  EXPECT_EQ(kept.relit_low, problem.extender->extend(photos).relit_low);
}

TEST(ExtenderTest, NormalsOfAnotherSizeAreRefused) {
  RelightModel model;
  model.normals = test_face_map({24, 20});
  const auto relighter = std::make_shared<Relighter>(model, RelightOptions());
  EXPECT_THROW(Extender(relighter, {FaceFrame(), {48, 40}, {7, 6}, DegradeOperator()}), Error);
}

}  // namespace
}  // namespace longshot
