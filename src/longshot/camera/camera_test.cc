// SPDX-License-Identifier: Apache-2.0
#include "longshot/camera/camera.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::HasSubstr;

Camera some_camera() {
  Camera camera;
  camera.size = {3, 2};
  camera.crops = 40;
  camera.learnt = true;
  camera.op = parse_operator("gauss:0.625");
  camera.registration = {0.02, -0.03, 0.05, -0.01};
  camera.gamma = 1.25;
  camera.noise = 0.03;
  camera.black = 0.1;
  camera.error = {0.01, 0.02, 0.1, 0.2, 0.1, 0.03};
  camera.tone = (Vector(6) << 0.1, -0.1, 0.0, 0.05, -0.05, 0.0).finished();
  camera.faces = 25;
  camera.people = 30;
  camera.centres = {{LifeFeatures::kNetwork, 7, Vector::Constant(3, 0.25), Vector::Ones(3)},
                    {LifeFeatures::kGradients, 0, Vector::Constant(2, -0.5), Vector::Zero(2)}};
  camera.days = Days::kOther;
  return camera;
}

std::string problem_with(const std::string& text) {
  try {
    decode_camera(text, "gate.camera");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

TEST(CameraFile, ComesBackAsItWas) {
  const Camera camera = some_camera();
  const Camera back = decode_camera(encode_camera(camera), "x");
  EXPECT_EQ(back.size, camera.size);
  EXPECT_EQ(back.crops, camera.crops);
  EXPECT_EQ(back.learnt, camera.learnt);
  EXPECT_EQ(back.op, camera.op);
  EXPECT_EQ(back.registration, camera.registration);
  EXPECT_EQ(back.gamma, camera.gamma);
  EXPECT_EQ(back.noise, camera.noise);
  EXPECT_EQ(back.black, camera.black);
  EXPECT_EQ(back.error, camera.error);
  EXPECT_TRUE(back.tone.isApprox(camera.tone, 1e-6));
  EXPECT_EQ(back.faces, camera.faces);
  EXPECT_EQ(back.people, camera.people);
  ASSERT_EQ(back.centres.size(), 2U);
  EXPECT_EQ(back.centres[0].features, LifeFeatures::kNetwork);
  EXPECT_EQ(back.centres[0].checksum, 7U);
  EXPECT_EQ(back.centres[1].features, LifeFeatures::kGradients);
  EXPECT_EQ(back.centres[1].crops, camera.centres[1].crops);
  EXPECT_EQ(back.centres[1].people, camera.centres[1].people);
  EXPECT_EQ(back.days, Days::kOther);
}

TEST(CameraFile, OfOlderVersionsSaysNothingOfDays) {
  Camera camera = some_camera();
  camera.days = Days::kUnknown;
  EXPECT_EQ(encode_camera(camera).find("days"), std::string::npos);
  EXPECT_EQ(decode_camera(encode_camera(camera), "x").days, Days::kUnknown);
}

TEST(CameraFile, SaysWhatIsWrongWithIt) {
  const std::string good = encode_camera(some_camera());
  EXPECT_THAT(problem_with("{"), HasSubstr("gate.camera is not a camera file"));
  EXPECT_THAT(problem_with("[]"), HasSubstr("not a camera file"));
  EXPECT_THAT(problem_with(replaced(good, "longshot camera", "something else")),
              HasSubstr("not a camera file"));
  EXPECT_THAT(problem_with(replaced(good, "\"version\": 1", "\"version\": 9")),
              HasSubstr("version 9"));
  EXPECT_THAT(problem_with(replaced(good, "\"gamma\": 1.25", "\"gamma\": -3")),
              HasSubstr("gamma of a camera"));
  EXPECT_THAT(problem_with(replaced(good, "\"size\": \"3x2\"", "\"size\": \"4x4\"")),
              HasSubstr("16 values"));
  EXPECT_THAT(problem_with(replaced(good, "\"crops\": 40", "\"crops\": 0")), HasSubstr("crops"));
  EXPECT_THAT(problem_with(replaced(good, "gauss:0.625", "lens")), HasSubstr("lens"));
  EXPECT_THAT(problem_with(replaced(good, "\"dx\": 0.02", "\"dx\": \"far\"")),
              HasSubstr("damaged"));
  EXPECT_THAT(problem_with(replaced(good, "\"network\"", "\"dreams\"")), HasSubstr("damaged"));
  EXPECT_THAT(problem_with(replaced(good, "\"faces\": 25", "\"faces\": 0")), HasSubstr("centres"));
  EXPECT_THAT(problem_with(replaced(good, "0.25,", "1e9,")), HasSubstr("centres"));
  EXPECT_THAT(problem_with(replaced(good, "0.25,", "[],")), HasSubstr("damaged"));
  EXPECT_THAT(problem_with(replaced(good, "\"other\"", "\"never\"")), HasSubstr("damaged"));
  EXPECT_THAT(problem_with(replaced(good, "\"other\"", "7")), HasSubstr("damaged"));
  const std::string asked = replaced(good, "\"other\"", "\"asked\"");
  EXPECT_THAT(problem_with(asked), HasSubstr("damaged"));
  EXPECT_EQ(decode_camera(asked, "x", true).days, Days::kAsked);
}

TEST(Camera, ChangesTheGeometryOnlyIfLearnt) {
  FaceGeometry geometry;
  geometry.high = {24, 20};
  geometry.low = {3, 2};
  Camera camera = some_camera();
  EXPECT_EQ(through_camera(geometry, camera).op, camera.op);
  EXPECT_EQ(through_camera(geometry, camera).registration, camera.registration);
  EXPECT_EQ(through_camera(geometry, camera).noise, camera.noise);
  camera.learnt = false;
  EXPECT_EQ(through_camera(geometry, camera).op, geometry.op);
  const Matrix crop = Matrix::Constant(6, 1, 0.5);
  EXPECT_EQ(corrected_crops(crop, {3, 2}, camera), crop);
}

TEST(Camera, CorrectsBlackLevelAndMeanFace) {
  Camera camera = some_camera();
  const Matrix crop = (Matrix(6, 1) << 0.3, 0.5, 0.4, 0.4, 0.3, 0.5).finished();
  const Matrix corrected = corrected_crops(crop, camera.size, camera);
  const double contrast = 0.2;  // norm of the deviations from 0.4
  EXPECT_NEAR(corrected(0, 0), 0.2 + contrast * 0.1, 1e-12);
  EXPECT_NEAR(corrected(2, 0), 0.3, 1e-12);
  camera.tone.resize(0);
  EXPECT_NEAR(corrected_crops(crop, camera.size, camera)(0, 0), 0.2, 1e-12);
  // Nothing becomes black or darker.
  EXPECT_GT(corrected_crops(0.1 * crop, camera.size, camera).minCoeff(), 0.0);
}

// What sees tones as they are gets the crop back, whatever its contrast and brightness.
TEST(Camera, ACorrectedCropCanBeHadAsItWas) {
  Camera camera = some_camera();
  camera.black = 0.0;
  const Matrix crops = (Matrix::Random(6, 5).array() * 0.2 + 0.6).matrix();
  const Matrix corrected = corrected_crops(crops, camera.size, camera);
  EXPECT_GT((corrected - crops).norm(), 0.01);
  EXPECT_LT((before_tone(corrected, camera.tone) - crops).norm(), 1e-12);
  EXPECT_LT((before_tone(3.0 * corrected, camera.tone) - 3.0 * crops).norm(), 1e-12);
  EXPECT_EQ(before_tone(corrected, Vector()), corrected);
  EXPECT_EQ(before_tone(corrected, Vector::LinSpaced(6, -1.0, 1.0)), corrected);
  EXPECT_EQ(through_camera({{}, {48, 40}, camera.size, {}}, camera).tone, camera.tone);
}

TEST(Camera, CorrectsCropsOfAnotherSize) {
  const Camera camera = some_camera();
  const Matrix corrected = corrected_crops(Matrix::Random(24, 2).cwiseAbs(), {6, 4}, camera);
  EXPECT_EQ(corrected.rows(), 24);
  EXPECT_TRUE(corrected.allFinite());
}

}  // namespace
}  // namespace longshot
