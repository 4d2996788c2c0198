// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/clip_reader.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

TEST(ClipWriter, WritesColours) {
  const fs::path path = fs::path(testing::TempDir()) / "colours.avi";
  ClipWriter writer(path, {32, 32});
  const Image full = Image::Constant(32, 32, 1.0);
  const Image none = Image::Zero(32, 32);
  writer.write({full, none, none});
  writer.write({none, full, none});
  writer.finish();
  const auto clip = open_clip(path);
  EXPECT_NEAR(clip->next()->image.mean(), 0.299, 0.02);
  EXPECT_NEAR(clip->next()->image.mean(), 0.587, 0.02);
}

TEST(ClipWriter, RefusesWhatCannotBe) {
  const fs::path folder = testing::TempDir();
  EXPECT_THROW(ClipWriter(folder / "odd.avi", {33, 32}), Error);
  EXPECT_THROW(ClipWriter(folder / "slow.avi", {32, 32}, {ClipCodec::kMjpeg, 0.0}), Error);
  EXPECT_THROW(ClipWriter(folder / "nowhere" / "clip.avi", {32, 32}), Error);
  ClipWriter writer(folder / "sizes.avi", {32, 32});
  EXPECT_THROW(writer.write(Image(Image::Zero(16, 16))), Error);
}

}  // namespace
}  // namespace longshot
