// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_search.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

class GallerySearchTest : public SmallGallery {
 protected:
  static constexpr Index kPeople = 6;
  static constexpr Size kSize = {7, 6};

  GallerySearchTest() : gallery_(make_gallery(kPeople)), session_(gallery_, "longshot", kSize) {}

  // One probe of each person.
  static Matrix probes() {
    Matrix probes(kSize.pixels(), kPeople);
    for (Index i = 0; i < kPeople; ++i) probes.col(i) = degrade(face(i, 1), kSize).reshaped();
    return probes;
  }
  std::vector<PersonId> everybody() const { return some_people(gallery_, kPeople); }

  GalleryStore gallery_;
  SearchSession session_;
};

TEST_F(GallerySearchTest, FindsThePeopleWhoseDistancesAreLowest) {
  const StateSearch state = session_.search(gallery_);
  const Nearest nearest = state.search.search(probes(), 3);
  const std::vector<PersonId> people = everybody();
  const Matrix all = state.search.distances(probes(), people);
  ASSERT_EQ(all.rows(), kPeople + state.search.background_people());
  EXPECT_EQ(nearest.background, all.bottomRows(state.search.background_people()));
  ASSERT_EQ(std::ssize(nearest.people), kPeople);
  for (Index j = 0; j < kPeople; ++j) {
    Vector left = all.col(j).head(kPeople);
    ASSERT_EQ(nearest.people[static_cast<std::size_t>(j)].size(), 3u);
    for (const PersonDistance& found : nearest.people[static_cast<std::size_t>(j)]) {
      Index best = 0;
      const double lowest = left.minCoeff(&best);
      EXPECT_EQ(found.person, people[static_cast<std::size_t>(best)]);
      // Each probe is decided by itself, so that it has one distance whoever else is asked about.
      EXPECT_NEAR(found.distance, lowest, 1e-12 * lowest);
      left(best) = std::numeric_limits<double>::infinity();
    }
    EXPECT_EQ(nearest.nearest_background(j), nearest.background.col(j).minCoeff());
  }
}

TEST_F(GallerySearchTest, AnswersFromTheFileAsFromMemory) {
  // An index that is too large for memory is not kept.
  const auto unread = std::make_shared<const OpenIndex>();
  const GallerySearch from_file(gallery_, session_.model(), nullptr, unread);
  const Nearest file = from_file.search(probes(), kPeople);
  const Nearest memory = session_.search(gallery_).search.search(probes(), kPeople);
  ASSERT_EQ(file.people.size(), memory.people.size());
  for (std::size_t j = 0; j < file.people.size(); ++j) {
    ASSERT_EQ(file.people[j].size(), memory.people[j].size());
    for (std::size_t k = 0; k < file.people[j].size(); ++k) {
      EXPECT_EQ(file.people[j][k].person, memory.people[j][k].person);
      EXPECT_EQ(file.people[j][k].distance, memory.people[j][k].distance);
    }
  }
  EXPECT_EQ(file.background.rows(), 0);
  EXPECT_EQ(file.nearest_background(0), std::numeric_limits<double>::infinity());
}

TEST_F(GallerySearchTest, TakesTheWeightedMeanOfATrackInUnitsOfTheBackground) {
  const GallerySearch search = session_.search(gallery_).search;
  constexpr double kZero = 0.01;
  const ProbeTracks tracks = {{0, 1, 0}, Vector{{3.0, 0.7, 1.0}}, 2};
  const Nearest nearest = search.search_tracks(probes().leftCols(3), tracks, kZero, kPeople);
  const Matrix all = search.distances(probes().leftCols(3), everybody()).array() - kZero;
  const auto units = [&](Index probe) {
    const Vector above = all.col(probe);
    return Vector(above / above.tail(search.background_people()).mean());
  };
  const Matrix expected =
      (Matrix(all.rows(), 2) << 0.75 * units(0) + 0.25 * units(2), units(1)).finished();
  ASSERT_EQ(nearest.people.size(), 2u);
  for (std::size_t track = 0; track < 2; ++track) {
    const Vector column = expected.col(static_cast<Index>(track));
    ASSERT_EQ(std::ssize(nearest.people[track]), kPeople);
    for (const PersonDistance& found : nearest.people[track]) {
      EXPECT_NEAR(found.distance, column(static_cast<Index>(found.person) - 1), 1e-9);
    }
    EXPECT_NEAR(nearest.nearest_background(static_cast<Index>(track)),
                column.tail(search.background_people()).minCoeff(), 1e-9);
  }
}

TEST_F(GallerySearchTest, SaysThatSomebodyIsGone) {
  const std::vector<PersonId> people = everybody();
  gallery_.remove_person(name(2));
  try {
    session_.search(gallery_).search.distances(probes(), people);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("Somebody was removed"));
  }
}

TEST_F(GallerySearchTest, SpreadsSomeOverAll) {
  EXPECT_EQ(some_people(gallery_, 3), (std::vector<PersonId>{1, 3, 5}));
  EXPECT_EQ(some_people(gallery_, 100), (std::vector<PersonId>{1, 2, 3, 4, 5, 6}));
  gallery_.remove_person(name(2));
  EXPECT_EQ(some_people(gallery_, 3), (std::vector<PersonId>{1, 4, 5}));
}

}  // namespace
}  // namespace longshot
