// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_judge.h"

#include <gtest/gtest.h>
#include <opencv2/core.hpp>

#include "longshot/core/random.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/cv_mat.h"

namespace longshot {
namespace {

double eye_error(const Eyes& found, const Eyes& real) {
  return (eye_distance({found.left, real.left}) + eye_distance({found.right, real.right})) /
         (2.0 * eye_distance(real));
}

Eyes moved(const Eyes& eyes, double x, double y) {
  return {{eyes.left.x + x, eyes.left.y + y}, {eyes.right.x + x, eyes.right.y + y}};
}

TEST(FaceJudge, EyesBesideTheirPlaceAreMovedThere) {
  for (Index person = 0; person < 6; ++person) {
    for (const double distance : {6.0, 15.0}) {
      const SyntheticPhoto photo = small_portrait(person, distance);
      const Eyes beside = moved(photo.eyes, 0.15 * distance, -0.1 * distance);
      const FaceJudgement judged = judge_face(to_cv_bytes(photo.image), beside);
      EXPECT_GT(judged.log_odds, 0.0) << person;
      EXPECT_LT(eye_error(judged.eyes, photo.eyes), 0.13) << person << " " << distance;
      EXPECT_LT(judged.eye_error, 0.3);
    }
  }
}

TEST(FaceJudge, AMirroredFaceIsJudgedAlike) {
  const SyntheticPhoto photo = small_portrait(3, 10.0);
  const auto width = static_cast<double>(photo.image.cols());
  const FaceJudgement one = judge_face(to_cv_bytes(photo.image), photo.eyes);
  const FaceJudgement other = judge_face(to_cv_bytes(flip(photo.image)), flip(photo.eyes, width));
  EXPECT_NEAR(one.log_odds, other.log_odds, 0.3);
  EXPECT_LT(eye_error(flip(other.eyes, width), one.eyes), 0.02);
}

TEST(FaceJudge, NoiseFlatAndWallpaperAreNoFaces) {
  Random random(3);
  const Image noise = Image::NullaryExpr(40, 34, [&] { return 0.5 + 0.15 * random.normal(); });
  const Image stripes =
      Image::NullaryExpr(40, 34, [](Index r, Index) { return r / 4 % 2 == 0 ? 0.3 : 0.6; });
  const Image tiles = Image::NullaryExpr(40, 34, [](Index r, Index c) {
    return 0.2 + 0.6 * static_cast<double>((r * 7 + c * 3) % 11) / 11.0;
  });
  const Eyes eyes = eyes_in_pixels(FaceFrame(), {40, 34});
  for (const Image& image : {noise, stripes, tiles, Image(Image::Constant(40, 34, 0.5))}) {
    EXPECT_LT(judge_face(to_cv_bytes(image), eyes).log_odds, 0.0);
  }
}

}  // namespace
}  // namespace longshot
