// SPDX-License-Identifier: Apache-2.0
// Recovery of simulated cameras on synthetic and real faces is in tests/camera_test.cc.
#include "longshot/camera/camera_fit.h"

#include <gtest/gtest.h>

#include "longshot/camera/small_people_test.h"
#include "longshot/core/error.h"
#include "longshot/core/privacy.h"

namespace longshot {
namespace {

class CameraFit : public testing::Test {
 protected:
  CameraFit() : geometry_(small_people().geometry()) {
    reference_ = camera_reference(photos(), small_people().extender->relit(photos()), geometry_);
  }

  Matrix photos() const { return small_people().trained_high; }

  FaceGeometry geometry_;
  Matrix reference_;
};

TEST_F(CameraFit, FindsTheFaceThatWasMoved) {
  FaceGeometry seen = geometry_;
  seen.registration = {0.08, -0.06, 0.0, 0.0};
  const Matrix crops = seen_by_camera(photos(), seen, parse_operator("gauss:0.6"));
  const Camera camera = fit_camera(crops, reference_, geometry_);
  ASSERT_TRUE(camera.learnt);
  EXPECT_NEAR(camera.registration.dx, 0.08, 0.03);
  EXPECT_NEAR(camera.registration.dy, -0.06, 0.03);
  EXPECT_EQ(camera.crops, photos().cols());
  EXPECT_EQ(camera.size, geometry_.low);
  EXPECT_GT(camera.error.shift, 0.0);
  camera.check();
}

TEST_F(CameraFit, IgnoresExposureAndOffset) {
  const Matrix crops = seen_by_camera(photos(), geometry_, parse_operator("gauss:1.0"));
  const Camera plain = fit_camera(crops, reference_, geometry_);
  const Camera toned = fit_camera(0.5 * crops.array() + 0.1, reference_, geometry_);
  EXPECT_NEAR(plain.op.blur_factor, toned.op.blur_factor, 1e-6);
  EXPECT_NEAR(plain.registration.dx, toned.registration.dx, 1e-6);
}

// Contrast and haze may be the faces' own: what a crop shows in the dark is left as it is.
TEST_F(CameraFit, TakesNoContrastForTheCameras) {
  FaceGeometry seen = geometry_;
  seen.registration = {0.08, -0.06, 0.0, 0.0};
  seen.gamma = 2.0;
  const Matrix sharp = seen_by_camera(photos(), seen, parse_operator("gauss:0.6"));
  const Matrix crops = 0.3 + 0.5 * sharp.array();
  const Camera camera = fit_camera(crops, reference_, geometry_);
  ASSERT_TRUE(camera.learnt);
  EXPECT_EQ(camera.gamma, 1.0);
  EXPECT_EQ(camera.black, 0.0);
  EXPECT_GT(camera.error.log_gamma, 0.0);
  EXPECT_NEAR(camera.registration.dx, 0.08, 0.03);
}

TEST_F(CameraFit, KeepsNoMeanFaceOfFewCrops) {
  FaceGeometry seen = geometry_;
  seen.registration = {0.08, -0.06, 0.0, 0.0};
  const Matrix crops = seen_by_camera(photos(), seen, parse_operator("gauss:0.6"));
  CameraFitOptions options;
  options.doubt = 0.0;
  EXPECT_EQ(fit_camera(crops.leftCols(kFewestPeople), reference_, geometry_, options).tone.size(),
            geometry_.low.pixels());
  EXPECT_EQ(
      fit_camera(crops.leftCols(kFewestPeople - 1), reference_, geometry_, options).tone.size(), 0);
}

TEST_F(CameraFit, DoubtKeepsTheGallerysOperator) {
  CameraFitOptions options;
  options.doubt = 1e9;
  const Matrix crops = seen_by_camera(photos(), geometry_, parse_operator("gauss:0.9"));
  const Camera camera = fit_camera(crops, reference_, geometry_, options);
  EXPECT_FALSE(camera.learnt);
  EXPECT_EQ(camera.op, geometry_.op);
  EXPECT_EQ(camera.registration, Registration());
}

TEST_F(CameraFit, LargeCropsAreBroughtDown) {
  FaceGeometry large = geometry_;
  large.low = {24, 20};
  FaceGeometry seen = large;
  seen.registration = {0.06, 0.0, 0.0, 0.0};
  CameraFitOptions options;
  options.most_pixels = 120;
  const Matrix crops = seen_by_camera(photos(), seen, parse_operator("gauss:2.0"));
  const Camera camera = fit_camera(crops, reference_, large, options);
  ASSERT_TRUE(camera.learnt);
  EXPECT_NEAR(camera.registration.dx, 0.06, 0.03);
  EXPECT_NEAR(std::log(camera.op.blur_factor / 2.0), 0.0, 0.5);
}

TEST_F(CameraFit, RefusesWhatCannotBe) {
  EXPECT_THROW(fit_camera(Matrix(geometry_.low.pixels(), 0), reference_, geometry_), Error);
  EXPECT_THROW(fit_camera(Matrix::Ones(5, 3), reference_, geometry_), Error);
  CameraFitOptions options;
  options.log_blur = 0.0;
  EXPECT_THROW(options.check(), Error);
}

}  // namespace
}  // namespace longshot
