// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/small_clip_test.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

TEST(ClipReader, ReadsEveryFrameInOrderWithItsTime) {
  const fs::path path = small_clip("read.avi", 30);
  const auto clip = open_clip(path);
  EXPECT_EQ(clip->stated_frames(), 30);
  for (Index k = 0; k < 30; ++k) {
    const std::optional<ClipFrame> frame = clip->next();
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->number, k);
    EXPECT_NEAR(frame->seconds, static_cast<double>(k) / 25.0, 1e-6);
    const Image expected = moving_square({48, 64}, k);
    EXPECT_LT((frame->image - expected).cwiseAbs().mean(), 0.03) << k;
    EXPECT_NEAR(frame->image(40, 32), expected(40, 32), 0.03) << k;
  }
  EXPECT_FALSE(clip->next());
  EXPECT_FALSE(clip->next());
}

TEST(ClipReader, ReadsH264WithFramesThatDependOnEachOther) {
  const fs::path path = small_clip("h264.mp4", 60, {96, 128}, ClipCodec::kH264);
  const auto clip = open_clip(path);
  Index k = 0;
  while (const auto frame = clip->next()) {
    EXPECT_LT((frame->image - moving_square({96, 128}, k)).cwiseAbs().mean(), 0.03) << k;
    ++k;
  }
  EXPECT_EQ(k, 60);
}

TEST(ClipReader, TakesEverySoManyFramesBetweenTwoTimes) {
  const fs::path path = small_clip("part.avi", 50);
  ClipOptions options;
  options.every = 4;
  options.from = 0.5;
  options.to = 1.0;
  const auto clip = open_clip(path, options);
  std::vector<Index> numbers;
  while (const auto frame = clip->next()) numbers.push_back(frame->number);
  EXPECT_THAT(numbers, testing::ElementsAre(16, 20, 24));
}

TEST(ClipReader, ReadsAFolderOfNumberedFrames) {
  const fs::path folder = fs::path(testing::TempDir()) / "folder_clip";
  fs::create_directories(folder);
  for (const Index k : {2, 10, 1}) {
    write_image(folder / ("frame" + std::to_string(k) + ".png"), moving_square({48, 64}, k));
  }
  const auto clip = open_clip(folder);
  EXPECT_EQ(clip->stated_frames(), 3);
  for (const Index k : {1, 2, 10}) {
    EXPECT_LT((clip->next()->image - moving_square({48, 64}, k)).cwiseAbs().maxCoeff(), 0.003);
  }
  EXPECT_FALSE(clip->next());
  ClipOptions options;
  options.from = 0.03;
  EXPECT_EQ(open_clip(folder, options)->next()->number, 1);
}

TEST(ClipReader, KnowsClipsByTheirNames) {
  EXPECT_TRUE(is_clip("walk.mp4"));
  EXPECT_TRUE(is_clip("WALK.MKV"));
  EXPECT_FALSE(is_clip("walk.jpg"));
  EXPECT_FALSE(is_clip("walk"));
}

TEST(ClipReader, RefusesOptionsThatCannotBe) {
  ClipOptions options;
  options.every = 0;
  EXPECT_THROW(options.check(), Error);
  options = {};
  options.from = 2.0;
  options.to = 1.0;
  EXPECT_THROW(options.check(), Error);
}

TEST(ClipReader, RefusesAFolderThatIsNone) {
  const fs::path folder = fs::path(testing::TempDir()) / "no_clip";
  fs::create_directories(folder);
  EXPECT_THROW(open_clip(folder), Error);
}

}  // namespace
}  // namespace longshot
