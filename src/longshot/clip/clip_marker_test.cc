// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/clip_marker.h"

#include <filesystem>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/core/interrupt.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// Grey frames, made when they are asked for.
class GreyFrames final : public ClipReader {
 public:
  GreyFrames(Index count, std::vector<std::string>& told, Index broken_at = -1)
      : count_(count), broken_at_(broken_at), told_(told) {}

  std::optional<ClipFrame> next() override {
    if (next_ == broken_at_) throw Error("It is damaged.");
    if (next_ == count_) return std::nullopt;
    told_.push_back(fmt::format("read {}", next_));
    const Index number = next_++;
    // The second frame is of another size, as a folder's may be.
    const Size size = number == 1 ? Size{80, 40} : Size{51, 61};
    return ClipFrame{number, 0.04 * static_cast<double>(number),
                     Image::Constant(size.rows, size.cols, 0.5)};
  }
  Index stated_frames() const override { return count_; }
  Index passed() const override { return next_; }

 private:
  Index next_ = 0;
  Index count_;
  Index broken_at_;
  std::vector<std::string>& told_;
};

// Asks to stop after so many steps.
class StopAfter final : public Progress {
 public:
  explicit StopAfter(Index steps) : left_(steps) {}
  void begin(std::string_view, Index) override {}
  void advance(Index) override {
    if (--left_ == 0) throw Cancelled();
  }
  void end() override {}

 private:
  Index left_;
};

class ClipMarker : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "clip_marker";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::function<std::vector<FaceMark>(const ClipFrame&)> marker() {
    return [this](const ClipFrame& frame) {
      told_.push_back(fmt::format("mark {}", frame.number));
      return std::vector<FaceMark>{{{10.0, 10.0, 20.0, 20.0}, 1, "anna", {0.0, 1.0, 0.0}}};
    };
  }

  Index files_in_folder() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }

  fs::path folder_;
  std::vector<std::string> told_;
};

TEST_F(ClipMarker, WritesEveryFrameBeforeItReadsTheNext) {
  GreyFrames frames(3, told_);
  const MarkedClip result = mark_clip(frames, folder_ / "out.avi", 12.5, marker());
  EXPECT_EQ(result.frames, 3);
  EXPECT_EQ(result.cut_short, "");
  EXPECT_THAT(told_, ElementsAre("read 0", "mark 0", "read 1", "mark 1", "read 2", "mark 2"));
  const auto clip = open_clip(folder_ / "out.avi");
  const auto first = clip->next();
  ASSERT_TRUE(first);
  EXPECT_EQ(size_of(first->image), (Size{11 * 52, 11 * 62}));
  EXPECT_NEAR(first->image(2, 2), 0.5, 0.05);
  EXPECT_NEAR(first->image(110, 200), 0.587, 0.1);  // the upper side of the box is green
  ASSERT_TRUE(clip->next());
  EXPECT_NEAR(clip->next()->seconds, 2.0 / 12.5, 1e-3);
}

TEST_F(ClipMarker, OnlyItsOwnerMayReadIt) {
  GreyFrames frames(2, told_);
  mark_clip(frames, folder_ / "out.avi", 25.0, marker());
  EXPECT_EQ(fs::status(folder_ / "out.avi").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files_in_folder(), 1);
}

TEST_F(ClipMarker, KeepsWhatWasWrittenWhenItIsStoppedOrTheClipIsDamaged) {
  GreyFrames many(50, told_);
  const MarkedClip stopped = [&] {
    StopAfter progress(4);
    const InterruptScope stop([] { throw Cancelled(); });
    return mark_clip(many, folder_ / "stopped.avi", 25.0, marker(), 100, progress);
  }();
  EXPECT_EQ(stopped.frames, 4);
  EXPECT_EQ(stopped.cut_short, "Stopped after 4 frames.");
  const auto kept = open_clip(folder_ / "stopped.avi");
  for (int k = 0; k < 4; ++k) EXPECT_TRUE(kept->next());
  GreyFrames broken(50, told_, 3);
  const MarkedClip damaged = mark_clip(broken, folder_ / "damaged.avi", 25.0, marker());
  EXPECT_EQ(damaged.frames, 3);
  EXPECT_EQ(damaged.cut_short, "It is damaged.");
  GreyFrames some(50, told_);
  EXPECT_EQ(mark_clip(some, folder_ / "some.avi", 25.0, marker(), 5).frames, 5);
  EXPECT_EQ(files_in_folder(), 3);
}

TEST_F(ClipMarker, LeavesNothingWhereNothingCanBeWritten) {
  GreyFrames none(0, told_);
  EXPECT_THROW(mark_clip(none, folder_ / "out.avi", 25.0, marker()), Error);
  GreyFrames broken(5, told_, 0);
  EXPECT_THROW(mark_clip(broken, folder_ / "out.avi", 25.0, marker()), Error);
  GreyFrames frames(2, told_);
  EXPECT_THROW(mark_clip(frames, folder_ / "nowhere/out.avi", 25.0, marker()), Error);
  EXPECT_EQ(files_in_folder(), 0);
}

}  // namespace
}  // namespace longshot
