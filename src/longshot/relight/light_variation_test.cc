// SPDX-License-Identifier: Apache-2.0
#include "longshot/relight/light_variation.h"

#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/privacy.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

TEST(GenericPhotos, ArePositiveAndTheSameForTheSameSeed) {
  const Matrix photos = generic_photos(FaceFrame(), {24, 20}, 50);
  EXPECT_GT(photos.minCoeff(), 0.0);
  EXPECT_NEAR(photos.mean(), 1.0, 0.2);
  EXPECT_EQ(photos, generic_photos(FaceFrame(), {24, 20}, 50));
  EXPECT_NE(photos, generic_photos(FaceFrame(), {24, 20}, 50, 2));
}

TEST(GenericPhotos, ShowTheSamePersonInAnyFrame) {
  FaceFrame wide;
  wide.eyes = {{0.4, 16.5 / 48.0}, {0.6, 16.5 / 48.0}};
  const Matrix photo = generic_photos(wide, {48, 40}, 1);
  // Beyond the table its border is repeated.
  EXPECT_DOUBLE_EQ(photo(0, 0), photo(1, 0));
}

VariationPhotos flat_people(Index people) {
  VariationPhotos set;
  Random random(1);
  for (Index i = 0; i < people; ++i) {
    for (int photo = 0; photo < 2; ++photo) {
      set.photos.push_back(Image::Constant(20, 16, 0.4 + 0.1 * random.uniform(0.0, 1.0)));
      set.subjects.push_back(static_cast<int>(i));
    }
  }
  return set;
}

TEST(VariationSource, NeedsEnoughPeopleWithTwoPhotos) {
  EXPECT_THROW(variation_source({flat_people(kFewestPeople - 1)}, 2, 2), Error);
  VariationPhotos single = flat_people(kFewestPeople);
  single.subjects.back() = 1000;
  EXPECT_THROW(variation_source({single}, 2, 2), Error);
}

TEST(VariationSource, FindsNoVariationInExposureAlone) {
  const std::string source = variation_source({flat_people(kFewestPeople)}, 1, 1);
  EXPECT_NE(source.find("from 20 people"), std::string::npos);
  const std::string deviations = source.substr(source.find("kDeviations"));
  EXPECT_EQ(deviations.find_first_of("123456789", deviations.find('{')),
            deviations.find_first_of("123456789", deviations.find("};")));
}

}  // namespace
}  // namespace longshot
