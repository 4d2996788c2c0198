// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera_learning.h"

#include <gtest/gtest.h>

#include "longshot/camera/small_people_test.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"

namespace longshot {
namespace {

class CameraLearning : public testing::Test {
 protected:
  CameraLearning() {
    FaceGeometry seen = people_.geometry();
    seen.registration = {0.08, -0.06, 0.0, 0.0};
    crops_ = seen_by_camera(people_.trained_high, seen, parse_operator("gauss:0.6"));
  }
  CameraReference reference(Index people) const {
    return make_camera_reference(*people_.extender, Matrix(people_.geometry().high.pixels(), 0),
                                 people_.trained_high, people);
  }

  const SmallPeople& people_ = small_people();
  Matrix crops_;
};

TEST_F(CameraLearning, FindsTheCameraWithThePhotosOfTheGallery) {
  const Camera camera = learn_camera(crops_, reference(40));
  ASSERT_TRUE(camera.learnt);
  EXPECT_NEAR(camera.registration.dx, 0.08, 0.03);
  EXPECT_EQ(camera.tone.size(), people_.geometry().low.pixels());
}

TEST_F(CameraLearning, KeepsNoMeanFaceOfFewPeople) {
  CameraReference few = reference(40);
  few.people = kFewestPeople - 1;
  const Camera camera = learn_camera(crops_, few);
  EXPECT_TRUE(camera.learnt);
  EXPECT_EQ(camera.tone.size(), 0);
}

TEST_F(CameraLearning, NeedsSomebody) {
  const Matrix nobody(people_.geometry().high.pixels(), 0);
  EXPECT_THROW(make_camera_reference(*people_.extender, nobody, nobody, 3), Error);
  EXPECT_THROW(reference(39), Error);
}

}  // namespace
}  // namespace longshot
