// SPDX-License-Identifier: Apache-2.0
#include "longshot/decide/background.h"

#include <gtest/gtest.h>

#include "longshot/core/privacy.h"

namespace longshot {
namespace {

constexpr Size kHigh = {24, 20};

// Photo j is grey level j; three of each person.
Matrix grey_photos(Index people) {
  Matrix photos(kHigh.pixels(), 3 * people);
  for (Index j = 0; j < photos.cols(); ++j) photos.col(j).setConstant(static_cast<double>(j));
  return photos;
}

std::vector<int> three_each(Index people) {
  std::vector<int> subjects;
  for (Index j = 0; j < 3 * people; ++j) subjects.push_back(static_cast<int>(j / 3));
  return subjects;
}

TEST(Background, IsMadeOfTrainingPeopleWhereThereAreEnough) {
  const Background background =
      make_background(FaceFrame(), kHigh, grey_photos(kFewestPeople), three_each(kFewestPeople),
                      BackgroundParts::kPeopleAndProbes);
  EXPECT_TRUE(background.real);
  ASSERT_EQ(background.enrolled.cols(), kFewestPeople);
  ASSERT_EQ(background.probes.cols(), 2 * kFewestPeople);
  for (Index j = 0; j < background.probes.cols(); ++j) {
    const Index owner = background.owners[static_cast<std::size_t>(j)];
    EXPECT_EQ(background.enrolled(0, owner), static_cast<double>(3 * owner));
    EXPECT_GT(background.probes(0, j), static_cast<double>(3 * owner));
    EXPECT_LT(background.probes(0, j), static_cast<double>(3 * owner + 3));
  }
}

TEST(Background, IsSyntheticOtherwise) {
  const Background people =
      make_background(FaceFrame(), kHigh, grey_photos(kFewestPeople - 1),
                      three_each(kFewestPeople - 1), BackgroundParts::kPeople);
  EXPECT_FALSE(people.real);
  EXPECT_EQ(people.enrolled.rows(), kHigh.pixels());
  EXPECT_GE(people.enrolled.cols(), kFewestPeople);
  EXPECT_EQ(people.probes.cols(), 0);
  const Background probes =
      make_background(FaceFrame(), kHigh, Matrix(), {}, BackgroundParts::kPeopleAndProbes);
  EXPECT_EQ(probes.enrolled, people.enrolled);
  EXPECT_EQ(static_cast<std::size_t>(probes.probes.cols()), probes.owners.size());
  EXPECT_GT(probes.probes.cols(), probes.enrolled.cols());
}

}  // namespace
}  // namespace longshot
