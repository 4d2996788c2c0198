// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/face_motion.h"

#include <cmath>

#include <gtest/gtest.h>

namespace longshot {
namespace {

// A face of width 10 whose middle is at this place.
Box face_at(double x, double y, double width = 10.0) {
  return {x - 0.5 * width, y - 0.5 * width, width, width};
}

// Somebody who walked to the right for a second, 40 pixels a second.
FaceMotion walked() {
  FaceMotion motion(face_at(0.0, 0.0), 0.0);
  for (int k = 1; k <= 25; ++k) motion.update(face_at(1.6 * k, 0.0), k / 25.0);
  return motion;
}

TEST(FaceMotion, ExpectsAWalkToGoOn) {
  const FaceMotion motion = walked();
  EXPECT_LT(motion.surprise(face_at(41.6, 0.0), 1.04).place, 0.3);
  EXPECT_LT(motion.surprise(face_at(56.0, 0.0), 1.4).place, 0.3);
  EXPECT_GT(motion.surprise(face_at(24.0, 0.0), 1.4).place, 3.0);
}

TEST(FaceMotion, IsLessSureAfterAGap) {
  const FaceMotion motion = walked();
  EXPECT_GT(motion.surprise(face_at(46.6, 0.0), 1.04).place,
            motion.surprise(face_at(61.0, 0.0), 1.4).place);
  EXPECT_GT(motion.uncertainty(1.4), motion.uncertainty(1.04));
}

TEST(FaceMotion, GuessesWhereItKnowsNoSpeed) {
  const FaceMotion unknown(face_at(0.0, 0.0), 0.0);
  EXPECT_LT(unknown.uncertainty(0.04), 0.3);
  EXPECT_GT(unknown.uncertainty(0.5), 1.0);
  EXPECT_LT(walked().uncertainty(1.5), 1.0);
}

TEST(FaceMotion, CountsInWidthsOfTheFace) {
  const FaceMotion far(face_at(0.0, 0.0, 10.0), 0.0);
  const FaceMotion near(face_at(0.0, 0.0, 40.0), 0.0);
  EXPECT_DOUBLE_EQ(far.surprise(face_at(3.0, 0.0, 10.0), 0.04).place,
                   near.surprise(face_at(12.0, 0.0, 40.0), 0.04).place);
}

TEST(FaceMotion, TellsLargerFromSmaller) {
  const FaceMotion motion = walked();
  EXPECT_NEAR(motion.surprise(face_at(41.6, 0.0), 1.04).size, 0.0, 1e-9);
  EXPECT_GT(motion.surprise(face_at(41.6, 0.0, 20.0), 1.04).size, 3.0);
  EXPECT_LT(motion.surprise(face_at(41.6, 0.0, 5.0), 1.04).size, -3.0);
}

TEST(FaceMotion, DoesNotFollowANod) {
  FaceMotion motion(face_at(0.0, 0.0), 0.0);
  for (int k = 1; k <= 25; ++k) motion.update(face_at(0.0, 2.0 * std::sin(0.9 * k)), k / 25.0);
  // In the middle of a nod its speed is 45 pixels a second; half a second later it is still here.
  EXPECT_LT(motion.surprise(face_at(0.0, 0.0), 1.5).place, 1.0);
}

}  // namespace
}  // namespace longshot
