// SPDX-License-Identifier: Apache-2.0
#include "longshot/recognize/model_state.h"

#include <cmath>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(ModelStateTest, GivesBackWhatWasSet) {
  ModelState state;
  const Matrix values = Matrix::Random(3, 2);
  state.set("values", values);
  state.set_number("width", 0.25);
  state.set_number("atoms", 12);
  EXPECT_EQ(state.matrix("values"), values);
  EXPECT_EQ(state.number("width"), 0.25);
  EXPECT_EQ(state.count("atoms", 1, 12), 12);
  EXPECT_EQ(state.matrices().size(), 3u);
}

TEST(ModelStateTest, GivesBackAFeatureSpace) {
  const FeatureSpace space(Normalisation::kRootUnitNorm, Vector::Random(4), Matrix::Random(4, 2));
  ModelState state;
  state.set_space("low", space);
  const FeatureSpace same = state.space("low");
  EXPECT_EQ(same.normalisation(), space.normalisation());
  EXPECT_EQ(same.mean(), space.mean());
  EXPECT_EQ(same.basis(), space.basis());
}

TEST(ModelStateTest, RefusesWhatIsMissingOrUnsuitable) {
  ModelState state;
  EXPECT_THROW(state.matrix("values"), Error);
  state.set("pair", Matrix::Ones(2, 1));
  EXPECT_THROW(state.number("pair"), Error);
  state.set_number("nan", std::nan(""));
  EXPECT_THROW(state.number("nan"), Error);
  state.set_number("half", 2.5);
  EXPECT_THROW(state.count("half", 1, 3), Error);
  state.set_number("atoms", 12);
  EXPECT_THROW(state.count("atoms", 1, 11), Error);
  EXPECT_THROW(state.count("atoms", 13, 20), Error);
}

TEST(ModelStateTest, RefusesADamagedFeatureSpace) {
  ModelState state;
  state.set_space("low", {Normalisation::kUnitNorm, Vector::Zero(4), Matrix::Ones(4, 2)});
  ModelState other = state;
  other.set_number("low.normalisation", 9);
  EXPECT_THROW(other.space("low"), Error);
  other = state;
  other.set("low.mean", Matrix::Zero(3, 1));
  EXPECT_THROW(other.space("low"), Error);
  other.set("low.mean", Matrix::Zero(4, 2));
  EXPECT_THROW(other.space("low"), Error);
}

}  // namespace
}  // namespace longshot
