// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mirror.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/relight/face_plane.h"
#include "longshot/relight/face_shape.h"
#include "longshot/relight/normal_map.h"

namespace longshot {
namespace {

TEST(Mirror, IsAFlipWhereTheEyesAreSymmetric) {
  const Size size{4, 6};
  const Matrix channels = Matrix::Random(2, 24);
  const Matrix mirrored = mirror_about_face(channels, FaceFrame{}, size);
  for (Index col = 0; col < 6; ++col) {
    EXPECT_LT((mirrored.middleCols(col * 4, 4) - channels.middleCols((5 - col) * 4, 4))
                  .cwiseAbs()
                  .maxCoeff(),
              1e-12);
  }
}

TEST(Mirror, FollowsTheAxisOfTheFace) {
  // Eyes at columns 2.5 and 5.5 of 10 (centres of pixels 2 and 5): pixel 3 mirrors to 4.
  FaceFrame frame;
  frame.eyes = {{0.25, 0.5}, {0.55, 0.5}};
  Matrix row(1, 10);
  row << 0, 1, 2, 3, 4, 5, 6, 7, 8, 9;
  const Matrix mirrored = mirror_about_face(row, frame, {1, 10});
  EXPECT_NEAR(mirrored(0, 2), 5.0, 1e-12);
  EXPECT_NEAR(mirrored(0, 4), 3.0, 1e-12);
  EXPECT_NEAR(mirrored(0, 0), 7.0, 1e-12);
  EXPECT_NEAR(mirrored(0, 9), 0.0, 1e-12);  // beyond the crop: its border
}

TEST(Mirror, SymmetricShapeIsItsOwnMirrorImageInATiltedFrame) {
  FaceFrame frame;
  frame.eyes = {{0.27, 0.42}, {0.7, 0.36}};
  const Size size{96, 80};
  const NormalMap map = normals_of_shape(mean_face_shape(), frame, size);
  const Matrix mirrored = mirror_normals(map.normals, frame, size);
  const FacePlane plane(frame);
  double largest = 0.0;
  for (Index p = 0; p < size.pixels(); ++p) {
    Eigen::Vector2d at = plane.on_face({(static_cast<double>(p / size.rows) + 0.5) / 80.0,
                                        (static_cast<double>(p % size.rows) + 0.5) / 96.0});
    at.x() = -at.x();
    const Point other = plane.in_crop(at);
    if (other.x < 0.01 || other.x > 0.99 || other.y < 0.01 || other.y > 0.99) continue;
    largest = std::max(largest, (mirrored.col(p) - map.normals.col(p)).norm());
  }
  EXPECT_LT(largest, 0.03);
  EXPECT_GT((flip(map).normals - map.normals).cwiseAbs().maxCoeff(), 0.2);
}

TEST(Mirror, SizesMustAgree) {
  EXPECT_THROW(mirror_about_face(Matrix(1, 7), FaceFrame{}, {2, 4}), Error);
  EXPECT_THROW(mirror_normals(Matrix(2, 8), FaceFrame{}, {2, 4}), Error);
}

}  // namespace
}  // namespace longshot
