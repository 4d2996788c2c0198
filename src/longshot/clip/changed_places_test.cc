// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/changed_places.h"

#include <gtest/gtest.h>

#include "longshot/core/random.h"

namespace longshot {
namespace {

constexpr Box kAll = {0.0, 0.0, 320.0, 240.0};

Image noisy(const Image& scene, std::uint64_t seed) {
  Random random(seed);
  return scene.unaryExpr([&](double value) { return value + 0.03 * random.normal(); });
}

Image wall() {
  return Image::NullaryExpr(240, 320, [](Index r, Index c) {
    return 0.3 + 0.001 * static_cast<double>(c) + ((r / 20 + c / 20) % 2 == 0 ? 0.1 : 0.0);
  });
}

TEST(ChangedPlaces, AllOfTheFirstFrameIsLookedAt) {
  ChangedPlaces changes;
  EXPECT_EQ(changes.look_at(wall()).within(kAll), kAll);
  EXPECT_EQ(changes.share(), 0.0);
  EXPECT_EQ(changes.look_at(wall().topRows(100)).within(kAll), kAll);
}

TEST(ChangedPlaces, NoiseAndFlickerAreNoChange) {
  ChangedPlaces changes;
  changes.look_at(noisy(wall(), 1));
  changes.look_at(noisy(wall(), 2));
  EXPECT_EQ(changes.share(), 0.0);
  changes.look_at(noisy(wall().array() + 0.1, 3));
  EXPECT_EQ(changes.share(), 0.0);
}

TEST(ChangedPlaces, WhoMovesIsSeenWhereItIsAndWhereItWas) {
  ChangedPlaces changes;
  Image scene = wall();
  scene.block(100, 60, 16, 16).array() += 0.2;
  changes.look_at(scene);
  Image later = wall();
  later.block(104, 80, 16, 16).array() += 0.2;
  EXPECT_EQ(changes.look_at(later).within(kAll), (Box{56, 96, 40, 24}));
  EXPECT_FALSE(changes.look_at(later).within(kAll));
}

// Less than half of what would be noticed at once, thirty times.
TEST(ChangedPlaces, SlowChangesAddUp) {
  ChangedPlaces changes;
  Image scene = wall();
  changes.look_at(scene);
  int noticed = 0;
  for (int k = 0; k < 30; ++k) {
    scene.block(96, 64, 16, 16).array() += 0.4 / 255.0;
    noticed += changes.look_at(scene).within(kAll) ? 1 : 0;
  }
  EXPECT_GE(noticed, 5);
  EXPECT_LE(noticed, 15);
}

TEST(ChangedPlaces, ACameraThatMovesChangesMostOfIt) {
  ChangedPlaces changes;
  Image scene = wall();
  changes.look_at(scene);
  Image moved = scene;
  moved.rightCols(313) = scene.leftCols(313);
  changes.look_at(moved);
  EXPECT_GT(changes.share(), 0.3);
}

TEST(ChangedPlaces, AllOfItIsLookedAtWhereThatIsAsked) {
  ChangedPlaces changes;
  changes.look_at(wall());
  EXPECT_EQ(changes.look_at(wall(), true).within(kAll), kAll);
  EXPECT_EQ(changes.share(), 0.0);
  EXPECT_FALSE(changes.look_at(wall()).within(kAll));
}

}  // namespace
}  // namespace longshot
