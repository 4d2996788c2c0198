// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mesh.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string parsing_error(std::string_view text) {
  try {
    parse_obj(text, "head.obj");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(ParseObj, ReadsEveryFormOfFace) {
  const Mesh mesh = parse_obj(
      "# a comment\r\n"
      "mtllib head.mtl\n"
      "v 0 0 0\nv 1 0 0 0.5 0.5 0.5\n\tv 1 1 0\nv 0 1e0 -2.5\n"
      "vt 0 0\nvn 0 0 1\n"
      "f 1 2 3\n"
      "usemtl M_Face\n"
      "f 1/1 2/1 3/1 4/1\n"
      "usemtl M_Iris\n"
      "f 1//1 2//1 3//1\n"
      "usemtl M_Face\n"
      "f -4/1/1 -3/1/1 -1/1/1",
      "head.obj");
  EXPECT_EQ(mesh.vertices.cols(), 4);
  EXPECT_EQ(mesh.vertices(2, 3), -2.5);
  EXPECT_THAT(mesh.materials, ElementsAre("M_Face", "M_Iris"));
  ASSERT_EQ(mesh.triangles.size(), 5u);
  EXPECT_EQ(mesh.triangles[0].material, -1);
  EXPECT_THAT(mesh.triangles[1].vertices, ElementsAre(0, 1, 2));
  EXPECT_THAT(mesh.triangles[2].vertices, ElementsAre(0, 2, 3));
  EXPECT_EQ(mesh.triangles[3].material, 1);
  EXPECT_THAT(mesh.triangles[4].vertices, ElementsAre(0, 1, 3));
  EXPECT_EQ(mesh.triangles[4].material, 0);
}

TEST(ParseObj, BadLinesAreNamed) {
  EXPECT_THAT(parsing_error("v 0 0 0\nv 1 x 0\n"), HasSubstr("head.obj, line 2"));
  EXPECT_THAT(parsing_error("v 0 0\n"), HasSubstr("three finite numbers"));
  EXPECT_THAT(parsing_error("v 0 0 nan\n"), HasSubstr("three finite numbers"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1 2\n"), HasSubstr("not there"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1 0\n"), HasSubstr("not there"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1 -2\n"), HasSubstr("not there"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1\n"), HasSubstr("at least three"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1 /1\n"), HasSubstr("whole numbers"));
  EXPECT_THAT(parsing_error("v 0 0 0\nf 1 1 99999999999999999999\n"), HasSubstr("whole numbers"));
  EXPECT_THAT(parsing_error("usemtl\n"), HasSubstr("needs a name"));
  EXPECT_THAT(parsing_error("v 0 0 0\n"), HasSubstr("no faces"));
  EXPECT_THAT(parsing_error(""), HasSubstr("no faces"));
}

TEST(VertexNormals, AreWeightedByArea) {
  // A large triangle in the plane z = 0 and one of a quarter of its area in the plane x = 0.
  const Mesh mesh = parse_obj(
      "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0 1 0\nv 0 0 1\nv 9 9 9\n"
      "f 1 2 3\nf 1 4 5\n",
      "corner");
  const Matrix normals = vertex_normals(mesh);
  EXPECT_LT((normals.col(0) - Eigen::Vector3d(1.0, 0.0, 4.0).normalized()).norm(), 1e-12);
  EXPECT_LT((normals.col(1) - Eigen::Vector3d(0.0, 0.0, 1.0)).norm(), 1e-12);
  EXPECT_EQ(normals.col(5).norm(), 0.0);
}

}  // namespace
}  // namespace longshot
