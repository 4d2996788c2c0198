// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/normal_map.h"

#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/face_plane.h"
#include "longshot/relight/face_shape.h"

namespace longshot {
namespace {

constexpr Size kCanonical{48, 40};

// A frame whose face is turned: the line between the eyes rises by `degrees` to the right.
FaceFrame turned_frame(double degrees) {
  const double angle = degrees * std::numbers::pi / 180.0;
  FaceFrame frame;
  const double dx = 0.25 * std::cos(angle);
  const double dy = 0.25 * std::sin(angle) / frame.aspect;
  frame.eyes = {{0.5 - dx, 0.4 + dy}, {0.5 + dx, 0.4 - dy}};
  return frame;
}

// The normal of `map` at the pixel that contains a fraction of the crop.
Eigen::Vector3d normal_at(const NormalMap& map, double x, double y) {
  const Index col = static_cast<Index>(x * static_cast<double>(map.size.cols));
  const Index row = static_cast<Index>(y * static_cast<double>(map.size.rows));
  return map.normals.col(col * map.size.rows + row);
}

TEST(NormalMap, NormalsAreExactForAGaussian) {
  const FaceShape shape({{0.8, 0.0, -0.5, 0.9}});
  const NormalMap map = normals_of_shape(shape, FaceFrame{}, kCanonical);
  map.check();
  // Row 16, column 29 lies half a pixel left of the right eye: x = 19/40 of the eye distance, y =
  // 0.
  const double x = 19.0 / 40.0;
  const double y = 0.0;
  const double height = 0.8 * std::exp(-(x * x + 0.25) / (2 * 0.81));
  Eigen::Vector3d expected(height * x / 0.81, height * (y + 0.5) / 0.81, 1.0);
  expected.normalize();
  EXPECT_LT((map.normals.col(29 * 48 + 16) - expected).norm(), 1e-12);
}

TEST(NormalMap, MeanFaceIsSymmetricAndVisible) {
  const NormalMap map = normals_of_shape(mean_face_shape(), FaceFrame{}, kCanonical);
  EXPECT_GT(map.normals.row(2).minCoeff(), 0.0);
  const NormalMap mirrored = flip(map);
  EXPECT_LT((mirrored.normals - map.normals).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_EQ(mirrored.mask, map.mask);
  EXPECT_GT(map.mask.mean(), 0.5);
  EXPECT_LT(map.mask.mean(), 1.0);
}

TEST(NormalMap, FlipTwiceIsTheSame) {
  NormalMap map = normals_of_shape(mean_face_shape(), turned_frame(12.0), kCanonical);
  map.covariance = Matrix::Random(6, kCanonical.pixels());
  const NormalMap once = flip(map);
  const NormalMap twice = flip(once);
  EXPECT_EQ(twice.normals, map.normals);
  EXPECT_EQ(twice.covariance, map.covariance);
  EXPECT_NEAR(twice.frame.eyes.left.x, map.frame.eyes.left.x, 1e-15);
  EXPECT_DOUBLE_EQ(once.normals(0, 5), -map.normals(0, 39 * 48 + 5));
  // A flipped map is the map of the flipped frame.
  const NormalMap expected = normals_of_shape(mean_face_shape(), once.frame, kCanonical);
  EXPECT_LT((once.normals - expected.normals).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(NormalMap, TurnedFrameTurnsNormals) {
  const FaceFrame upright = turned_frame(0.0);
  const FaceFrame tilted = turned_frame(30.0);
  const FaceShape& shape = mean_face_shape();
  const Size size{480, 400};
  const NormalMap straight = normals_of_shape(shape, upright, size);
  const NormalMap turned = normals_of_shape(shape, tilted, size);
  const Eigen::Vector2d on_face(0.35, -0.5);
  const Point a = FacePlane(upright).in_crop(on_face);
  const Point b = FacePlane(tilted).in_crop(on_face);
  Eigen::Vector3d expected = normal_at(straight, a.x, a.y);
  expected.head<2>() = (Eigen::Rotation2Dd(std::numbers::pi / 6) * expected.head<2>()).eval();
  EXPECT_LT((normal_at(turned, b.x, b.y) - expected).norm(), 0.03);
}

TEST(NormalMap, SqueezedCropKeepsNormals) {
  // The same part of the scene on square pixels and on 48x20.
  const NormalMap square = normals_of_shape(mean_face_shape(), FaceFrame{}, {48, 60});
  const NormalMap squeezed = normals_of_shape(mean_face_shape(), FaceFrame{}, {48, 20});
  for (Index col = 0; col < 20; ++col) {
    // Pixel centres of every third column coincide.
    EXPECT_LT((squeezed.normals.middleCols(col * 48, 48) -
               square.normals.middleCols((3 * col + 1) * 48, 48))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-12);
  }
  // A crop that shows a taller part of the scene is another one.
  FaceFrame tall;
  tall.aspect = 2.0;
  EXPECT_GT((normals_of_shape(mean_face_shape(), tall, {48, 20}).normals - squeezed.normals)
                .cwiseAbs()
                .maxCoeff(),
            0.05);
}

TEST(NormalMap, ResizeAveragesBlocksAndKeepsConstants) {
  NormalMap map{{4, 4}, Matrix(3, 16), Vector::Ones(16), Matrix(6, 0), FaceFrame{}};
  for (Index p = 0; p < 16; ++p) {
    map.normals.col(p) = Eigen::Vector3d(0.1 * static_cast<double>(p), 0.3, 1.0).normalized();
  }
  const NormalMap half = resize(map, {2, 2});
  const Eigen::Vector3d sum =
      map.normals.col(0) + map.normals.col(1) + map.normals.col(4) + map.normals.col(5);
  EXPECT_LT((half.normals.col(0) - sum.normalized()).norm(), 1e-12);

  map.normals.colwise() = Eigen::Vector3d(0.6, 0.0, 0.8);
  for (const Size size : {Size{3, 2}, Size{9, 7}}) {
    const NormalMap other = resize(map, size);
    EXPECT_LT((other.normals.colwise() - Eigen::Vector3d(0.6, 0.0, 0.8)).cwiseAbs().maxCoeff(),
              1e-12);
    EXPECT_EQ(other.mask, Vector::Ones(size.pixels()));
  }
}

TEST(NormalMap, ResizeIgnoresPixelsOffTheFace) {
  NormalMap map{{2, 2}, Matrix(3, 4), Vector::Ones(4), Matrix(6, 0), FaceFrame{}};
  map.normals.colwise() = Eigen::Vector3d(0.6, 0.0, 0.8);
  map.normals.col(3) = Eigen::Vector3d(-1.0, 0.0, 0.0);
  map.mask[3] = 0.0;
  const NormalMap one = resize(map, {1, 1});
  EXPECT_LT((one.normals.col(0) - Eigen::Vector3d(0.6, 0.0, 0.8)).norm(), 1e-7);
  EXPECT_EQ(one.mask[0], 1.0);
}

TEST(NormalMap, ReframeAgreesWithTheShapeInTheOtherFrame) {
  NormalMap fine = normals_of_shape(mean_face_shape(), FaceFrame{}, {192, 160});
  // An isotropic in-plane covariance must stay what it is under a turn.
  fine.covariance = Matrix::Zero(6, fine.size.pixels());
  fine.covariance.row(0).setConstant(0.02);
  fine.covariance.row(3).setConstant(0.02);
  const FaceFrame frame = turned_frame(-10.0);
  const NormalMap moved = reframe(fine, frame, {40, 48});
  moved.check();
  const NormalMap expected = normals_of_shape(mean_face_shape(), frame, {40, 48});
  double largest = 0.0;
  for (Index p = 0; p < moved.size.pixels(); ++p) {
    if (moved.mask[p] == 1.0 && expected.mask[p] == 1.0) {
      largest = std::max(largest, (moved.normals.col(p) - expected.normals.col(p)).norm());
    }
  }
  EXPECT_LT(largest, 0.06);
  EXPECT_GT(moved.mask.sum(), 0.8 * expected.mask.sum());
  EXPECT_NEAR(moved.covariance(0, 700), 0.02, 1e-12);
  EXPECT_NEAR(moved.covariance(1, 700), 0.0, 1e-12);
}

TEST(NormalMap, ColourIsTheShiftedNormal) {
  NormalMap map{{1, 2}, Matrix(3, 2), Vector(2), Matrix(6, 0), FaceFrame{}};
  map.normals << 0.6, 0.0, 0.0, 0.0, 0.8, 1.0;
  map.mask << 1.0, 0.0;
  const ColorImage color = normals_as_color(map);
  EXPECT_DOUBLE_EQ(color.red(0, 0), 0.8);
  EXPECT_DOUBLE_EQ(color.green(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(color.blue(0, 0), 0.9);
  EXPECT_DOUBLE_EQ(color.blue(0, 1), 0.0);
}

TEST(NormalMap, ShadingIsClampedAtTheTerminator) {
  NormalMap map{{1, 2}, Matrix(3, 2), Vector::Ones(2), Matrix(6, 0), FaceFrame{}};
  map.normals << 0.6, -0.6, 0.0, 0.0, 0.8, 0.8;
  const Vector lit = shading(map, {2.0, 0.0, 0.0});
  EXPECT_DOUBLE_EQ(lit[0], 1.2);
  EXPECT_DOUBLE_EQ(lit[1], 0.0);
}

TEST(NormalMap, CheckFindsWhatIsWrong) {
  const NormalMap good = normals_of_shape(mean_face_shape(), FaceFrame{}, {6, 5});
  EXPECT_NO_THROW(good.check());
  NormalMap bad = good;
  bad.normals.col(12) *= 1.1;
  EXPECT_THROW(bad.check(), Error);
  bad = good;
  bad.normals(2, 12) *= -1.0;
  EXPECT_THROW(bad.check(), Error);
  bad = good;
  bad.mask.resize(7);
  EXPECT_THROW(bad.check(), Error);
  bad = good;
  bad.frame.aspect = 0.0;
  EXPECT_THROW(bad.check(), Error);
  bad = good;
  bad.covariance = Matrix::Constant(6, 30, std::nan(""));
  EXPECT_THROW(bad.check(), Error);
  EXPECT_THROW(normals_of_shape(mean_face_shape(), FaceFrame{}, {0, 5}), Error);
}

}  // namespace
}  // namespace longshot
