// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/gradient_space.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

Matrix images(Size size, Index count) {
  Random random(1);
  return Matrix::NullaryExpr(size.pixels(), count, [&](Index, Index) { return random.uniform(); });
}

FaceGeometry crop_geometry(const FaceFrame& frame = {}) {
  return {frame, {48, 40}, {12, 10}, DegradeOperator()};
}

// y = directions (basis f - mean), as the table says.
TEST(GradientSpace, FollowsTheTable) {
  const LifeTable& table = life_table();
  const LifeTable::Entry& entry = table.nearest({12, 10});
  const Matrix crops = images({12, 10}, 3);
  const Matrix features =
      GradientOrientations(table.gradients, {12, 10}, FaceFrame()).features(crops);
  const Matrix expected = entry.directions * ((table.basis * features).colwise() - entry.mean);
  const GradientSpace space(crop_geometry(), table);
  EXPECT_LT((space.coordinates(crops) - expected).norm(), 1e-9 * expected.norm());
  EXPECT_EQ(space.between(), entry.between);
}

// A crop that shows only part of a face says less, but nothing wrong: it is nearer to the mean.
TEST(GradientSpace, WhatIsNotShownIsAsInTheMeanFace) {
  const FaceFrame tight = {{{0.1, 0.1}, {0.9, 0.1}}, 1.0};
  const Matrix crops = images({12, 10}, 20);
  const Matrix whole = GradientSpace(crop_geometry(), life_table()).coordinates(crops);
  const Matrix part = GradientSpace(crop_geometry(tight), life_table()).coordinates(crops);
  EXPECT_LT(part.norm(), whole.norm());
}

TEST(GradientSpace, AFlatImageHasNoCoordinates) {
  const GradientSpace space(crop_geometry(), life_table());
  EXPECT_TRUE(space.coordinates(Matrix::Constant(120, 1, 0.5)).isZero(0.0));
}

TEST(GradientSpace, IsKeptAndRead) {
  FaceGeometry moved = crop_geometry({{{0.27, 0.23}, {0.74, 0.23}}, 1.0});
  moved.registration = {0.02, -0.01, 0.03, 0.0};
  const GradientSpace space(moved, life_table());
  ModelState state;
  space.save(state, "it");
  const Matrix crops = images({12, 10}, 2);
  EXPECT_EQ(GradientSpace::load(state, "it").coordinates(crops), space.coordinates(crops));
}

TEST(GradientSpace, DamageIsRefused) {
  ModelState whole;
  GradientSpace(crop_geometry(), life_table()).save(whole, "it");
  for (const auto& [name, values] : whole.matrices()) {
    ModelState state = whole;
    state.set(name, values.topRows(values.rows() - 1));
    EXPECT_THROW(GradientSpace::load(state, "it"), Error) << name;
    state.set(name, Matrix::Constant(values.rows(), values.cols(), std::nan("")));
    EXPECT_THROW(GradientSpace::load(state, "it"), Error) << name;
  }
}

}  // namespace
}  // namespace longshot
