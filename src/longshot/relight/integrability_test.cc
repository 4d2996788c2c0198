// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/integrability.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/face_shape.h"

namespace longshot {
namespace {

TEST(IntegrateSlopes, QuadraticSurfaceIsExact) {
  // Means of neighbouring slopes are exact differences of a quadratic.
  const double step_x = 0.2;
  const double step_y = 0.3;
  Image height(7, 5), slope_x(7, 5), slope_y(7, 5);
  for (Index r = 0; r < 7; ++r) {
    for (Index c = 0; c < 5; ++c) {
      const double x = step_x * static_cast<double>(c);
      const double y = -step_y * static_cast<double>(r);
      height(r, c) = 0.5 * x * x - y * y + 0.7 * x * y + 3.0 * y;
      slope_x(r, c) = x + 0.7 * y;
      slope_y(r, c) = -2.0 * y + 0.7 * x + 3.0;
    }
  }
  const Image integrated = integrate_slopes(slope_x, slope_y, step_x, step_y);
  EXPECT_NEAR(integrated.mean(), 0.0, 1e-12);
  height.array() -= height.mean();
  EXPECT_LT((integrated - height).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(MakeIntegrable, LeavesASurfaceAlone) {
  const NormalMap map = normals_of_shape(mean_face_shape(), FaceFrame{}, {96, 80});
  const NormalMap same = make_integrable(map);
  same.check();
  EXPECT_LT((same.normals - map.normals).cwiseAbs().mean(), 0.01);
}

TEST(MakeIntegrable, RemovesWhatNoSurfaceHas) {
  // slope_x = y, slope_y = -x turns around the middle and comes from no height.
  const Size size{20, 20};
  NormalMap map{size, Matrix(3, 400), Vector::Ones(400), Matrix(6, 0), FaceFrame{}};
  map.frame.aspect = 1.0;
  for (Index p = 0; p < 400; ++p) {
    const double x = (static_cast<double>(p / 20) - 9.5) / 20.0;
    const double y = (9.5 - static_cast<double>(p % 20)) / 20.0;
    map.normals.col(p) = Eigen::Vector3d(-y, x, 1.0).normalized();
  }
  const NormalMap flat = make_integrable(map);
  EXPECT_LT(flat.normals.topRows(2).norm(), 0.5 * map.normals.topRows(2).norm());
}

TEST(IntegrateSlopes, BadInputIsRefused) {
  EXPECT_THROW(integrate_slopes(Image::Zero(3, 3), Image::Zero(3, 4), 1.0, 1.0), Error);
  EXPECT_THROW(integrate_slopes(Image::Zero(3, 3), Image::Zero(3, 3), 0.0, 1.0), Error);
}

}  // namespace
}  // namespace longshot
