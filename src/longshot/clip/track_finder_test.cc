// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/track_finder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/small_clip_test.h"
#include "longshot/core/error.h"
#include "longshot/synthetic/synthetic_clip.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

fs::path walking_clip(const std::string& name) {
  SyntheticClipOptions options;
  options.people = 1;
  options.together = 1;
  options.walk = 12;
  options.size = {120, 160};
  options.far = 10.0;
  options.near = 14.0;
  SyntheticClip clip(options);
  const fs::path path = fs::path(testing::TempDir()) / name;
  ClipWriter writer(path, options.size);
  std::vector<ClipTruth> truth;
  for (Index k = 0; k < clip.frames(); ++k) writer.write(clip.frame(k, truth));
  writer.finish();
  return path;
}

FindOptions large_faces() {
  FindOptions finding;
  finding.least_eye_distance = 8.0;
  return finding;
}

TEST(TrackFinder, FindsAPersonWhoWalks) {
  const ClipTracks found = find_tracks(walking_clip("walk.avi"), {}, {}, large_faces());
  EXPECT_EQ(found.frames, 12);
  EXPECT_EQ(found.cut_short, "");
  ASSERT_GE(found.tracks.size(), 1u);
  EXPECT_GE(found.tracks[0].faces.size(), 6u);
}

TEST(TrackFinder, FindsNobodyWhereNobodyIs) {
  const ClipTracks found = find_tracks(small_clip("nobody.avi", 5), {}, {}, large_faces());
  EXPECT_EQ(found.frames, 5);
  EXPECT_TRUE(found.tracks.empty());
}

// Asks to stop after so many calls.
class Impatient final : public Progress {
 public:
  void begin(std::string_view, Index) override {}
  void advance(Index) override {
    if (++calls_ == 8) throw Cancelled();
  }
  void end() override {}

 private:
  int calls_ = 0;
};

TEST(TrackFinder, KeepsWhatWasFoundWhenAskedToStop) {
  Impatient progress;
  const ClipTracks found =
      find_tracks(walking_clip("stopped.avi"), {}, {}, large_faces(), {}, progress);
  EXPECT_EQ(found.frames, 8);
  EXPECT_THAT(found.cut_short, testing::HasSubstr("Stopped after 8 frames"));
}

}  // namespace
}  // namespace longshot
