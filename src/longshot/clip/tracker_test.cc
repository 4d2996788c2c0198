// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/tracker.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/walking_test.h"
#include "longshot/core/error.h"

namespace longshot {
namespace {

SyntheticClipOptions walks(Index people) {
  SyntheticClipOptions options;
  options.people = people;
  options.size = {120, 240};
  options.walk = 30;
  options.far = 5.0;
  options.near = 9.0;
  return options;
}

TEST(Tracker, NeverMixesPeopleWhoCross) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    SyntheticClipOptions options = walks(8);
    options.seed = seed;
    const WalkedTracks walked = tracks_of(options, 0.08);
    std::set<std::string> everybody;
    for (const FaceTrack& track : walked.tracks) {
      std::set<std::string> people;
      for (const TrackedFace& face : track.faces) people.insert(walked.person(face));
      EXPECT_EQ(people.size(), 1u) << seed;
      everybody.merge(people);
    }
    EXPECT_EQ(everybody.size(), 8u);
    EXPECT_LE(walked.tracks.size(), 20u);
  }
}

TEST(Tracker, FollowsOnePersonThroughAWholeWalk) {
  SyntheticClipOptions options = walks(1);
  options.together = 1;
  const WalkedTracks walked = tracks_of(options, 0.08);
  ASSERT_EQ(walked.tracks.size(), 1u);
  EXPECT_EQ(walked.tracks[0].faces.size(), 30u);
  EXPECT_EQ(walked.tracks[0].faces.front().frame, 0);
}

TEST(Tracker, EndsTracksAtACut) {
  SyntheticClipOptions options = walks(1);
  options.together = 1;
  SyntheticClip clip(options);
  Tracker tracker;
  Random random(9);
  for (Index k = 0; k < 20; ++k) {
    std::vector<ClipTruth> here;
    Image image = clip.frame(k, here);
    if (k >= 10) image = 1.0 - image.array();  // another picture, with somebody at the same place
    tracker.add({k, static_cast<double>(k) / 25.0, image}, detected(here, 0.05, random));
  }
  EXPECT_EQ(tracker.finish().size(), 2u);
}

TEST(Tracker, GoesOnAfterAGapButNotAfterALongOne) {
  for (const auto& [gap, tracks] : {std::pair(10, 1u), std::pair(40, 2u)}) {
    SyntheticClipOptions options = walks(1);
    options.together = 1;
    options.walk = 80;
    SyntheticClip clip(options);
    Tracker tracker;
    Random random(9);
    for (Index k = 0; k < 80; ++k) {
      std::vector<ClipTruth> here;
      const Image image = clip.frame(k, here);
      const bool seen = k < 20 || k >= 20 + gap;
      tracker.add({k, static_cast<double>(k) / 25.0, image},
                  seen ? detected(here, 0.03, random) : std::vector<FoundFace>());
    }
    EXPECT_EQ(tracker.finish().size(), tracks) << gap;
  }
}

TEST(Tracker, KeepsOnlySoManyFaces) {
  SyntheticClipOptions options = walks(1);
  options.together = 1;
  SyntheticClip clip(options);
  TrackOptions tracking;
  tracking.most_faces = 5;
  Tracker tracker(tracking);
  Random random(9);
  for (Index k = 0; k < 30; ++k) {
    std::vector<ClipTruth> here;
    const Image image = clip.frame(k, here);
    tracker.add({k, static_cast<double>(k) / 25.0, image}, detected(here, 0.03, random));
  }
  EXPECT_EQ(tracker.finish().at(0).faces.size(), 5u);
}

TEST(Tracker, RefusesOptionsThatCannotBe) {
  TrackOptions options;
  options.longest_gap = 0.0;
  EXPECT_THROW(Tracker{options}, Error);
  options = {};
  options.most_faces = 0;
  EXPECT_THROW(Tracker{options}, Error);
}

}  // namespace
}  // namespace longshot
