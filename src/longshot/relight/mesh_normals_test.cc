// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mesh_normals.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/test_data.h"
#include "longshot/relight/face_plane.h"

namespace longshot {
namespace {

// A ball of radius 2 in quadrilaterals; eye centres at x = -0.5 and 0.5 make the unit of the mesh
// that of the face plane.
Mesh ball(Index steps = 120) {
  Mesh mesh;
  mesh.vertices.resize(3, steps * (steps + 1));
  const auto index = [&](Index i, Index j) { return i * (steps + 1) + j; };
  for (Index i = 0; i < steps; ++i) {
    for (Index j = 0; j <= steps; ++j) {
      const double around =
          2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(steps);
      const double down = std::numbers::pi * static_cast<double>(j) / static_cast<double>(steps);
      mesh.vertices.col(index(i, j)) << 2.0 * std::sin(down) * std::sin(around),
          2.0 * std::cos(down), 2.0 * std::sin(down) * std::cos(around);
    }
  }
  for (Index i = 0; i < steps; ++i) {
    for (Index j = 0; j < steps; ++j) {
      const Index next = (i + 1) % steps;
      mesh.triangles.push_back({{index(i, j), index(i, j + 1), index(next, j + 1)}, -1});
      mesh.triangles.push_back({{index(i, j), index(next, j + 1), index(next, j)}, -1});
    }
  }
  return mesh;
}

MeshViewOptions unit_eyes() {
  MeshViewOptions options;
  options.eyes = MeshEyes{{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
  return options;
}

// Adds a square of side 2 `half` around (x, y) at depth z, tipped so that z rises by `slope` per x.
void add_square(Mesh& mesh, double x, double y, double z, double half, double slope,
                Index material) {
  const Index first = mesh.vertices.cols();
  mesh.vertices.conservativeResize(3, first + 4);
  Index at = first;
  for (const auto& [sx, sy] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
    mesh.vertices.col(at++) << x + sx * half, y + sy * half, z + slope * sx * half;
  }
  mesh.triangles.push_back({{first, first + 1, first + 2}, material});
  mesh.triangles.push_back({{first, first + 2, first + 3}, material});
}

TEST(NormalsOfMesh, BallHasNormalsAlongItsRadius) {
  const Size size{48, 40};
  for (const bool inside_out : {false, true}) {
    Mesh mesh = ball();
    if (inside_out) {
      for (Mesh::Triangle& t : mesh.triangles) std::swap(t.vertices[0], t.vertices[1]);
    }
    const NormalMap map = normals_of_mesh(mesh, FaceFrame{}, size, unit_eyes());
    map.check();
    const FacePlane plane{FaceFrame{}};
    for (Index p = 0; p < size.pixels(); ++p) {
      const Eigen::Vector2d at = plane.on_face(
          {(static_cast<double>(p / 48) + 0.5) / 40.0, (static_cast<double>(p % 48) + 0.5) / 48.0});
      const Eigen::Vector3d expected(at.x() / 2.0, at.y() / 2.0,
                                     std::sqrt(1.0 - at.squaredNorm() / 4.0));
      EXPECT_LT((map.normals.col(p) - expected).norm(), 0.01);
      EXPECT_EQ(map.mask[p], 1.0);
    }
  }
}

TEST(NormalsOfMesh, NearerSurfaceHidesFartherOne) {
  Mesh mesh;
  add_square(mesh, 0.0, 0.0, 1.0, 0.3, 0.0, -1);
  add_square(mesh, 0.0, 0.0, 0.0, 2.0, 1.0, -1);  // reaches z = 1 only at x = 1
  const NormalMap map = normals_of_mesh(mesh, FaceFrame{}, {48, 40}, unit_eyes());
  const double half = std::sqrt(0.5);
  EXPECT_LT((map.normals.col(19 * 48 + 16) - Eigen::Vector3d(0, 0, 1)).norm(), 1e-9);
  EXPECT_LT((map.normals.col(5 * 48 + 16) - Eigen::Vector3d(-half, 0, half)).norm(), 1e-9);
  // The order of triangles must not matter.
  std::reverse(mesh.triangles.begin(), mesh.triangles.end());
  EXPECT_EQ(normals_of_mesh(mesh, FaceFrame{}, {48, 40}, unit_eyes()).normals, map.normals);
}

TEST(NormalsOfMesh, TiltBringsTheForeheadForward) {
  Mesh mesh;
  add_square(mesh, 0.0, 0.0, 0.0, 4.0, 0.0, -1);
  MeshViewOptions options = unit_eyes();
  options.tilt = 30.0;
  const NormalMap map = normals_of_mesh(mesh, FaceFrame{}, {12, 10}, options);
  // A face that nods looks down.
  EXPECT_LT((map.normals.col(60) - Eigen::Vector3d(0.0, -0.5, std::sqrt(0.75))).norm(), 1e-9);
}

TEST(NormalsOfMesh, TiltedFrameTurnsNormals) {
  Mesh mesh;
  add_square(mesh, 0.0, 0.0, 0.0, 4.0, 1.0, -1);
  FaceFrame frame;
  frame.eyes = {{0.3, 0.5}, {0.7, 0.25}};  // 0.4 across and 0.25 * 1.2 = 0.3 up: 3-4-5
  const NormalMap map = normals_of_mesh(mesh, frame, {12, 10}, unit_eyes());
  const double half = std::sqrt(0.5);
  EXPECT_LT((map.normals.col(60) - Eigen::Vector3d(-0.8 * half, -0.6 * half, half)).norm(), 1e-9);
}

TEST(NormalsOfMesh, MaterialsDecideWhatIsDrawnAndWhereTheEyesAre) {
  Mesh mesh;
  mesh.materials = {"M_Face", "M_EyeLashes", "M_IrisLeft", "M_IrisRight"};
  add_square(mesh, 0.0, 0.0, 0.0, 2.0, 0.0, 0);
  add_square(mesh, 0.0, 0.0, 1.0, 2.0, 1.0, 1);
  add_square(mesh, -1.0, 0.5, 0.2, 0.1, 0.0, 3);
  add_square(mesh, 1.0, 0.5, 0.2, 0.1, 0.0, 2);
  const NormalMap map = normals_of_mesh(mesh, FaceFrame{}, {48, 40});
  EXPECT_LT((map.normals.col(19 * 48 + 16) - Eigen::Vector3d(0, 0, 1)).norm(), 1e-9);
  // The skin ends at x = 2, one eye distance from the middle: at the border of the crop.
  EXPECT_EQ(map.mask[1 * 48 + 16], 1.0);
  // It ends at y = -2, 1.25 eye distances below the eyes: row 16.5 + 25.
  EXPECT_EQ(map.mask[19 * 48 + 40], 1.0);
  EXPECT_EQ(map.mask[19 * 48 + 43], 0.0);
}

TEST(NormalsOfMesh, BadInputIsRefused) {
  EXPECT_THROW(normals_of_mesh(Mesh{}, FaceFrame{}, {4, 4}, unit_eyes()), Error);
  EXPECT_THROW(normals_of_mesh(ball(8), FaceFrame{}, {4, 4}), Error);  // no eye materials
  EXPECT_THROW(normals_of_mesh(ball(8), FaceFrame{}, {0, 4}, unit_eyes()), Error);
  MeshViewOptions options = unit_eyes();
  options.tilt = 60.0;
  EXPECT_THROW(options.check(), Error);
  options = unit_eyes();
  options.oversampling = 0;
  EXPECT_THROW(options.check(), Error);
  options.oversampling = 4;
  std::swap(options.eyes->left, options.eyes->right);
  EXPECT_THROW(options.check(), Error);
}

TEST(NormalsOfMesh, RealHeadIsSymmetric) {
  const auto path = test_data("mesh/ict_neutral_head.obj");
  if (!path) GTEST_SKIP() << "skipped: no data";
  const NormalMap map = normals_of_mesh(read_obj(*path), FaceFrame{}, {48, 40});
  EXPECT_GT(map.mask.mean(), 0.95);
  EXPECT_LT((flip(map).normals - map.normals).cwiseAbs().mean(), 0.01);
}

}  // namespace
}  // namespace longshot
