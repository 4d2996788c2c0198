// SPDX-License-Identifier: Apache-2.0
#include "longshot/clips.h"

#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/evaluate.h"
#include "longshot/gallery.h"

namespace longshot::v0 {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// People who are enrolled from their portraits and walk through a clip.
class Clips : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = fs::path(testing::TempDir()) / "clips_of_people";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    SyntheticOptions people;
    people.people = 12;
    people.photos = 1;
    write_synthetic_people(folder_ / "people", people);
    SyntheticClipOptions film;
    film.people = 2;
    film.together = 1;
    film.walk = 12;
    film.size = {120, 160};
    film.far = 10.0;
    film.near = 14.0;
    EXPECT_EQ(write_synthetic_clip(folder_ / "walk.avi", film), 24);
  }

  static inline fs::path folder_;
};

TEST_F(Clips, PeopleAreFollowedAndNamed) {
  ClipOptions options;
  options.faces.least_eye_distance = 8.0;
  const ClipTracks found = find_tracks(folder_ / "walk.avi", options);
  EXPECT_EQ(found.frames, 24);
  ASSERT_GE(found.tracks.size(), 2u);
  EXPECT_EQ(found.tracks[0].crops().size(), found.tracks[0].faces.size());
  Gallery gallery = Gallery::open_or_create(folder_ / "people.gallery");
  gallery.enroll(load({folder_ / "people"}, Purpose::enroll).pictures);
  const Answers answers = gallery.identify_tracks(found.tracks);
  ASSERT_EQ(answers.answers.size(), found.tracks.size());
  const Answer& first = answers.answers[0];
  EXPECT_EQ(first.error, "");
  EXPECT_EQ(first.track, 1);
  EXPECT_GE(first.frames, 3);
  ASSERT_FALSE(first.candidates.empty());
  EXPECT_EQ(first.candidates[0].person, "person_00000");
  const std::string json = to_json(answers);
  EXPECT_THAT(json, HasSubstr("\"track\": 1"));
  EXPECT_THAT(json, HasSubstr("\"frames_used\""));
}

TEST_F(Clips, TheTruthStandsBeside) {
  EXPECT_TRUE(fs::exists(folder_ / "walk.csv"));
}

TEST_F(Clips, AClipIsKnownByItsName) {
  EXPECT_TRUE(is_clip(folder_ / "walk.avi"));
  EXPECT_FALSE(is_clip(folder_ / "people"));
  EXPECT_FALSE(is_clip("photo.jpg", true));
}

TEST_F(Clips, WhatCannotBeReadIsAnError) {
  EXPECT_THROW(find_tracks(folder_ / "nothing.avi"), Error);
  ClipOptions options;
  options.every = 0;
  EXPECT_THROW(find_tracks(folder_ / "walk.avi", options), Error);
}

}  // namespace
}  // namespace longshot::v0
