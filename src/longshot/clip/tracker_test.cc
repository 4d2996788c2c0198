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
    show(tracker, {k, static_cast<double>(k) / 25.0, image}, detected(here, 0.05, random));
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
      show(tracker, {k, static_cast<double>(k) / 25.0, image},
           seen ? detected(here, 0.03, random) : std::vector<FoundFace>());
    }
    EXPECT_EQ(tracker.finish().size(), tracks) << gap;
  }
}

TEST(Tracker, ExpectsFacesWhereTheyWillBe) {
  SyntheticClipOptions options = walks(1);
  options.together = 1;
  SyntheticClip clip(options);
  Tracker tracker;
  Random random(9);
  for (Index k = 0; k < 20; ++k) {
    std::vector<ClipTruth> here;
    const ClipFrame frame = {k, static_cast<double>(k) / 25.0, clip.frame(k, here)};
    EXPECT_EQ(tracker.advance(frame), k == 0);
    const std::vector<Eyes> expected = tracker.expected(frame);
    EXPECT_EQ(expected.empty(), k == 0);
    if (k > 5) {
      ASSERT_EQ(expected.size(), 1u);
      const Eyes& real = here.at(0).eyes;
      EXPECT_LT(eye_distance({expected[0].left, real.left}), 0.8 * eye_distance(real));
    }
    tracker.add(frame, detected(here, 0.03, random));
  }
}

TEST(Tracker, FollowsWhoWalksFast) {
  SyntheticClipOptions options = walks(2);
  options.walk = 15;
  options.size = {120, 480};  // 11 pixels a frame, more than the eyes are apart
  const WalkedTracks walked = tracks_of(options, 0.05);
  std::size_t longest = 0;
  for (const FaceTrack& track : walked.tracks) longest = std::max(longest, track.faces.size());
  EXPECT_GE(longest, 10u);
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
    show(tracker, {k, static_cast<double>(k) / 25.0, image}, detected(here, 0.03, random));
  }
  EXPECT_EQ(tracker.finish().at(0).faces.size(), 5u);
}

TEST(Tracker, LeavesOutWhatIsHardlyAFace) {
  SyntheticClipOptions options = walks(1);
  options.together = 1;
  for (const auto& [likeness, tracks] : {std::pair(0.7, 0u), std::pair(0.9, 1u)}) {
    SyntheticClip clip(options);
    Tracker tracker;
    Random random(9);
    for (Index k = 0; k < 10; ++k) {
      std::vector<ClipTruth> here;
      const Image image = clip.frame(k, here);
      std::vector<FoundFace> faces = detected(here, 0.03, random);
      for (FoundFace& face : faces) face.likeness = likeness;
      show(tracker, {k, static_cast<double>(k) / 25.0, image}, faces);
    }
    EXPECT_EQ(tracker.finish().size(), tracks) << likeness;
  }
}

TEST(Tracker, RefusesOptionsThatCannotBe) {
  TrackOptions options;
  options.longest_gap = 0.0;
  EXPECT_THROW(Tracker{options}, Error);
  options = {};
  options.most_faces = 0;
  EXPECT_THROW(Tracker{options}, Error);
  options = {};
  options.least_face = 1.5;
  EXPECT_THROW(Tracker{options}, Error);
}

}  // namespace
}  // namespace longshot
