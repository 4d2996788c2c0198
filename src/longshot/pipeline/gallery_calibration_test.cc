// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_calibration.h"

#include <gtest/gtest.h>

#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"

namespace longshot {
namespace {

using GalleryCalibration = SmallGallery;

TEST_F(GalleryCalibration, IsMadeAnewWhenTheNumberOfPeopleHasChanged) {
  GalleryStore gallery = make_gallery(8);
  const auto people_of = [&] {
    return SearchSession(gallery, "longshot", {7, 6}).calibration().people;
  };
  EXPECT_EQ(people_of(), 8);
  EnrolOptions force;
  force.force = true;
  enrol(gallery, {photo(8), photo(9)}, force);
  EXPECT_EQ(people_of(), 8);  // a quarter more at most
  enrol(gallery, {photo(10)}, force);
  EXPECT_EQ(people_of(), 11);
}

TEST_F(GalleryCalibration, IsKeptAsItWasMade) {
  GalleryStore gallery = make_gallery(kFewestPeople);
  const Calibration made = SearchSession(gallery, "longshot", {7, 6}).calibration();
  const Calibration kept = SearchSession(gallery, "longshot", {7, 6}).calibration();
  EXPECT_EQ(kept.known_above(0.01), made.known_above(0.01));
  EXPECT_EQ(kept.match_above(0.001), made.match_above(0.001));
  EXPECT_EQ(kept.share, made.share);
}

// On another day network and gradients weigh more, and everybody's ratios are larger.
TEST_F(GalleryCalibration, EachKindOfDaysHasItsOwn) {
  GalleryStore gallery = make_gallery(kFewestPeople);
  const SearchSession session(gallery, "longshot", {7, 6});
  const auto line = [&](Days days) {
    const StateSearch state = session.search(gallery);
    return provide_calibration(gallery, FilePeople(gallery), state.search, days).known_above(0.01);
  };
  const double other = line(Days::kOther);
  const double same = line(Days::kSame);
  EXPECT_GT(other, line(Days::kUnknown));
  EXPECT_NE(same, line(Days::kUnknown));
  EXPECT_EQ(line(Days::kUnknown), session.calibration().known_above(0.01));
  EXPECT_EQ(line(Days::kOther), other);  // kept beside each other
  EXPECT_EQ(line(Days::kSame), same);
}

TEST_F(GalleryCalibration, DaysStayUnknownWhereNoneCanBeMade) {
  GalleryStore gallery = make_gallery(3);
  EXPECT_EQ(calibrated_days(gallery, Days::kOther), Days::kOther);
  const GalleryStore locked(gallery.path(), GalleryStore::Access::kRead);
  EXPECT_EQ(calibrated_days(locked, Days::kOther), Days::kUnknown);
}

}  // namespace
}  // namespace longshot
