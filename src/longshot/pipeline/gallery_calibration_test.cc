// SPDX-License-Identifier: Apache-2.0
#include "longshot/pipeline/gallery_calibration.h"

#include <gtest/gtest.h>

#include "longshot/pipeline/search_session.h"
#include "longshot/pipeline/small_gallery_test.h"
#include "longshot/recognize/model_io.h"

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
  const SearchSession made(gallery, "longshot", {7, 6});
  const SearchSession kept(gallery, "longshot", {7, 6});
  const auto line = [](const SearchSession& session, Days days) {
    return session.calibration(days).known_above(0.01);
  };
  EXPECT_LT(line(made, Days::kUnknown), line(made, Days::kOther));
  EXPECT_NE(line(made, Days::kUnknown), line(made, Days::kSame));
  for (const Days days : {Days::kUnknown, Days::kSame, Days::kOther}) {
    EXPECT_EQ(line(kept, days), line(made, days));
  }
  const SearchSession pixels(gallery, "longshot-pixels", {7, 6});
  EXPECT_EQ(line(pixels, Days::kUnknown), line(pixels, Days::kOther));
}

TEST_F(GalleryCalibration, OfAVersionThatKnewNoDaysIsMadeAnew) {
  GalleryStore gallery = make_gallery(kFewestPeople);
  const SearchSession made(gallery, "longshot", {7, 6});
  Model old = decode_model(gallery.index_data(made.model().key).value(), "it");
  old.state = made.calibration().state();
  gallery.set_index_data(made.model().key, encode_model(old));
  EXPECT_EQ(SearchSession(gallery, "longshot", {7, 6}).calibration(Days::kOther).known_above(0.01),
            made.calibration(Days::kOther).known_above(0.01));
}

}  // namespace
}  // namespace longshot
