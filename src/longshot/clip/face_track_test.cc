// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/face_track.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/walking_test.h"

namespace longshot {
namespace {

// Deviation of where the eyes of a track lie, from where they are, in eye distances. What all faces
// of the track have in common is left out.
double deviation(const FaceTrack& track, const WalkedTracks& walked, bool aligned) {
  std::vector<double> off;
  for (const TrackedFace& face : track.faces) {
    for (const ClipTruth& one : walked.truth) {
      if (one.frame != face.frame) continue;
      // Patches are not shrunk here: both differ by whole pixels only.
      const double found = 0.5 * (face.face.eyes.left.x + face.face.eyes.right.x);
      const double patch = std::floor(found - 1.6 * eye_distance(face.face.eyes));
      const double moved = patch + 0.5 * (face.eyes.left.x + face.eyes.right.x);
      const double truth = 0.5 * (one.eyes.left.x + one.eyes.right.x);
      off.push_back(((aligned ? moved : found) - truth) / eye_distance(one.eyes));
    }
  }
  double mean = 0.0;
  for (const double one : off) mean += one / static_cast<double>(off.size());
  double squares = 0.0;
  for (const double one : off) squares += (one - mean) * (one - mean);
  return std::sqrt(squares / static_cast<double>(off.size()));
}

SyntheticClipOptions one_walk() {
  SyntheticClipOptions options;
  options.people = 1;
  options.together = 1;
  options.size = {120, 240};
  options.walk = 30;
  options.far = 6.0;
  options.near = 9.0;
  return options;
}

TEST(FaceTrack, LaysFacesOnEachOther) {
  const WalkedTracks walked = tracks_of(one_walk(), 0.12);
  ASSERT_EQ(walked.tracks.size(), 1u);
  const double before = deviation(walked.tracks[0], walked, false);
  const double after = deviation(walked.tracks[0], walked, true);
  EXPECT_GT(before, 0.06);
  EXPECT_LT(after, 0.6 * before);
}

TEST(FaceTrack, WeighsBlurredAndHiddenFacesLess) {
  WalkedTracks walked = tracks_of(one_walk(), 0.03);
  FaceTrack& track = walked.tracks.at(0);
  Image& hidden = track.faces[10].patch;
  hidden.topRows(hidden.rows() / 2).setConstant(0.9);
  Image& blurred = track.faces[20].patch;
  const Image sharp = blurred;
  for (Index c = 2; c + 2 < sharp.cols(); ++c) {
    for (Index r = 2; r + 2 < sharp.rows(); ++r)
      blurred(r, c) = sharp.block(r - 2, c - 2, 5, 5).mean();
  }
  align_track(track);
  EXPECT_LT(track.faces[10].weight, 0.2 * track.faces[11].weight);
  EXPECT_LT(track.faces[20].weight, 0.7 * track.faces[21].weight);
  EXPECT_GT(effective_frames(track), 10.0);
  EXPECT_LE(effective_frames(track), 30.0);
}

TEST(FaceTrack, LeavesASingleFaceAsItIs) {
  WalkedTracks walked = tracks_of(one_walk(), 0.03);
  FaceTrack single{{walked.tracks.at(0).faces[0]}};
  const Eyes eyes = single.faces[0].eyes;
  align_track(single);
  EXPECT_EQ(single.faces[0].eyes, eyes);
}

TEST(FaceTrack, ShrinksLargeFaces) {
  FoundFace face;
  face.eyes = {{200.0, 200.0}, {280.0, 200.0}};
  const TrackedFace tracked = tracked_face(Image::Constant(500, 500, 0.5), 3, 0.1, face);
  EXPECT_NEAR(eye_distance(tracked.eyes), 40.0, 0.5);
  EXPECT_LT(tracked.patch.cols(), 140);
}

}  // namespace
}  // namespace longshot
