// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/mean_face_fit.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

// The surface of a shape as a mesh over the whole part of the plane that a fit looks at.
Mesh mesh_of(const FaceShape& shape) {
  constexpr Index kSide = 61;
  Mesh mesh;
  mesh.vertices.resize(3, kSide * kSide);
  for (Index i = 0; i < kSide; ++i) {
    for (Index j = 0; j < kSide; ++j) {
      const double x = -2.0 + 4.0 * static_cast<double>(i) / 60.0;
      const double y = -2.6 + 4.4 * static_cast<double>(j) / 60.0;
      mesh.vertices.col(i * kSide + j) << x, y, shape.at(x, y).height;
      if (i == 0 || j == 0) continue;
      const Index here = i * kSide + j;
      mesh.triangles.push_back({{here, here - kSide, here - kSide - 1}, -1});
      mesh.triangles.push_back({{here, here - kSide - 1, here - 1}, -1});
    }
  }
  return mesh;
}

MeanFaceFitOptions quick_options() {
  MeanFaceFitOptions options;
  options.view.eyes = MeshEyes{{-0.5, 0.0, 0.0}, {0.5, 0.0, 0.0}};
  options.shape.grids = {{0.8, 0.4, 1.6, -2.2, 1.4}, {0.3, 0.2, 0.8, -1.2, 0.4}};
  options.shape.most_terms = 30;
  return options;
}

const FaceShape kHead({{1.4, 0.0, -0.6, 0.9}});
const FaceShape kHeadWithNose({{1.4, 0.0, -0.6, 0.9}, {0.3, 0.0, -0.6, 0.3}});

TEST(FitMeanFace, MeshAloneGivesItsShape) {
  const ShapeFit fit = fit_mean_face(mesh_of(kHeadWithNose), quick_options());
  EXPECT_LT(fit.mean_angle, 2.0);
  EXPECT_NEAR(fit.shape.at(0.3, -0.6).slope_x, kHeadWithNose.at(0.3, -0.6).slope_x, 0.05);
}

TEST(FitMeanFace, PhotographsCountWithinTheirCropAndTheMeshAround) {
  const NormalMap measured = normals_of_shape(kHeadWithNose, FaceFrame{}, {48, 40});
  const ShapeFit fit = fit_mean_face(measured, mesh_of(kHead), quick_options());
  const double with_nose = kHeadWithNose.at(0.3, -0.6).slope_x;
  const double without = kHead.at(0.3, -0.6).slope_x;
  EXPECT_LT(std::abs(fit.shape.at(0.3, -0.6).slope_x - with_nose),
            0.3 * std::abs(with_nose - without));
  EXPECT_NEAR(fit.shape.at(0.2, 1.2).slope_y, kHead.at(0.2, 1.2).slope_y, 0.1);
}

TEST(FitMeanFace, BadOptionsAreRefused) {
  MeanFaceFitOptions options = quick_options();
  options.mesh_within = -1.0;
  EXPECT_THROW(fit_mean_face(mesh_of(kHead), options), Error);
}

}  // namespace
}  // namespace longshot
