// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_person.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

TEST(SyntheticPerson, IsTheSameForTheSameSeedAndNumber) {
  const SyntheticPerson a = make_person(3, 17);
  const SyntheticPerson b = make_person(3, 17);
  EXPECT_EQ(a.key, b.key);
  EXPECT_EQ(a.skin.tone, b.skin.tone);
  EXPECT_EQ(a.hair.line, b.hair.line);
  ASSERT_EQ(a.relief.size(), b.relief.size());
  EXPECT_EQ(a.relief.back().amplitude, b.relief.back().amplitude);
}

TEST(SyntheticPerson, DiffersWithSeedAndNumber) {
  std::set<std::uint64_t> keys;
  std::set<double> tones;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (Index index = 0; index < 50; ++index) {
      const SyntheticPerson person = make_person(seed, index);
      keys.insert(person.key);
      tones.insert(person.skin.tone);
    }
  }
  EXPECT_EQ(keys.size(), 1000U);
  EXPECT_GT(tones.size(), 900U);
}

TEST(SyntheticPerson, HasHumanProportions) {
  int bearded = 0;
  for (Index index = 0; index < 2000; ++index) {
    const SyntheticPerson person = make_person(1, index);
    EXPECT_NEAR(person.head.width, 1.0, 0.3);
    EXPECT_NEAR(person.nose.width, 1.0, 0.4);
    EXPECT_GT(person.eyes.half_width, 0.19);
    EXPECT_LT(person.eyes.half_width, 0.27);
    EXPECT_GT(person.mouth.upper, 0.0);
    EXPECT_GT(person.brows.height, person.eyes.upper + 0.05);
    EXPECT_GE(person.skin.tone, 0.24);
    EXPECT_LE(person.skin.tone, 0.70);
    EXPECT_LT(person.hair.shade, 0.75);
    if (person.beard.beard > 0.5) ++bearded;
    for (const Bump& bump : person.relief) EXPECT_LT(std::abs(bump.amplitude), 0.2);
  }
  EXPECT_GT(bearded, 50);
  EXPECT_LT(bearded, 250);
}

TEST(SyntheticPerson, RefusesANegativeNumber) {
  EXPECT_THROW(make_person(1, -1), Error);
}

}  // namespace
}  // namespace longshot
