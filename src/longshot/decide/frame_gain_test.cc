// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/frame_gain.h"

#include <gtest/gtest.h>

#include "longshot/core/random.h"

namespace longshot {
namespace {

constexpr Index kPeople = 40;
constexpr Index kPhotos = 8;  // of each

struct Photographed {
  Matrix distances{kPeople, kPeople* kPhotos};
  std::vector<Index> owners;
};

// Everybody is at some distance from everybody else, always the same, and each photo adds an error.
Photographed photographed(double error) {
  Random random(4);
  const Matrix apart =
      Matrix::NullaryExpr(kPeople, kPeople, [&] { return random.uniform(0.8, 1.2); });
  Photographed all;
  for (Index j = 0; j < all.distances.cols(); ++j) {
    const Index own = j % kPeople;
    all.owners.push_back(own);
    for (Index i = 0; i < kPeople; ++i) {
      all.distances(i, j) = (i == own ? 0.5 : apart(i, own)) + error * random.uniform(-1.0, 1.0);
    }
  }
  return all;
}

TEST(FrameGain, StrangersComeLessNearOverManyFrames) {
  const Photographed all = photographed(0.4);
  const FrameGain gain = learn_frame_gain(all.distances, all.owners, 0.0);
  EXPECT_EQ(gain.frames, kPhotos);
  EXPECT_LT(gain.strange, 0.6);
  EXPECT_LT(gain.alike, 0.6);
  EXPECT_GT(gain.curve.score(0.5), 0.5);
}

TEST(FrameGain, FramesThatAreAllTheSameAddNothing) {
  const Photographed all = photographed(0.0);
  const FrameGain gain = learn_frame_gain(all.distances, all.owners, 0.0);
  EXPECT_NEAR(gain.strange, 1.0, 1e-9);
  EXPECT_NEAR(gain.alike, 0.99, 1e-9);
}

TEST(FrameGain, NothingIsLearntFromPeopleWithOnePhoto) {
  const FrameGain gain = learn_frame_gain(Matrix::Ones(3, 4), {0, 1, 2, -1}, 0.0);
  EXPECT_EQ(gain.frames, 1.0);
  EXPECT_EQ(gain.strange, 1.0);
}

TEST(FrameGain, CountsWhatFramesAdd) {
  FrameGain gain;
  gain.alike = 0.5;
  EXPECT_NEAR(effective_frames(10.0, 0.5, gain), 10.0, 1e-9);  // as unlike as photos of other days
  EXPECT_NEAR(effective_frames(10.0, 0.3, gain), 10.0, 1e-9);
  EXPECT_NEAR(effective_frames(10.0, 1.0, gain), 1.0, 1e-9);  // all the same
  // Half of what is left is common to all frames: 0.5 / (0.25 + 0.25 / 10).
  EXPECT_NEAR(effective_frames(10.0, 0.75, gain), 0.5 / 0.275, 1e-9);
  EXPECT_NEAR(effective_frames(1.0, 1.0, gain), 1.0, 1e-9);
}

}  // namespace
}  // namespace longshot
