// SPDX-License-Identifier: Apache-2.0
#include "longshot/synthetic/synthetic_clip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"

namespace longshot {
namespace {

SyntheticClipOptions small() {
  SyntheticClipOptions options;
  options.people = 3;
  options.walk = 10;
  options.size = {120, 160};
  return options;
}

TEST(SyntheticClip, ShowsEveryoneOnceAndAlwaysTheSame) {
  SyntheticClip clip(small());
  EXPECT_EQ(clip.frames(), 20);
  std::vector<ClipTruth> truth;
  for (Index k = 0; k < clip.frames(); ++k) clip.frame(k, truth);
  EXPECT_EQ(truth.size(), 30u);
  EXPECT_EQ(truth.front().person, "person_00000");
  EXPECT_EQ(truth.back().person, "person_00002");
  std::vector<ClipTruth> again;
  SyntheticClip other(small());
  const Image last = other.frame(19, again);
  EXPECT_EQ(last, clip.frame(19, truth));
}

TEST(SyntheticClip, PeopleComeNearerAndCross) {
  SyntheticClip clip(small());
  std::vector<ClipTruth> truth;
  for (Index k = 0; k < 10; ++k) clip.frame(k, truth);
  EXPECT_NEAR(eye_distance(truth[0].eyes), 3.5, 0.01);
  EXPECT_NEAR(eye_distance(truth[18].eyes), 7.0, 0.01);
  EXPECT_LT(truth[0].eyes.left.x, truth[1].eyes.left.x);
  EXPECT_GT(truth[18].eyes.left.x, truth[19].eyes.left.x);
  EXPECT_THAT(truth, testing::Contains(testing::Field(&ClipTruth::hidden, true)));
}

TEST(SyntheticClip, WritesTheTruth) {
  const std::string text = to_csv({{2, "anna", {{1, 2}, {3, 4}}, true}}, 25.0);
  EXPECT_THAT(text, testing::EndsWith("\n2,0.0800,anna,1.00,2.00,3.00,4.00,1\n"));
}

TEST(SyntheticClip, RefusesOptionsThatCannotBe) {
  SyntheticClipOptions options = small();
  options.near = 1.0;
  EXPECT_THROW(SyntheticClip{options}, Error);
  options = small();
  options.people = 0;
  EXPECT_THROW(SyntheticClip{options}, Error);
  std::vector<ClipTruth> truth;
  EXPECT_THROW(SyntheticClip(small()).frame(20, truth), Error);
}

}  // namespace
}  // namespace longshot
