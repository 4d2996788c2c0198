// SPDX-License-Identifier: Apache-2.0
// Clips that are broken, strange or hostile: each gets a sentence or its frames, never a hang.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/clip/small_clip_test.h"
#include "longshot/core/file.h"
#include "longshot/core/random.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

fs::path with_bytes(const std::string& name, const std::string& bytes) {
  const fs::path path = fs::path(testing::TempDir()) / name;
  write_file(path, bytes);
  return path;
}

// Frames, or -1 with the sentence.
Index frames_or_complaint(const fs::path& path, std::string& complaint,
                          const ClipOptions& options = {}) {
  try {
    return count_frames(*open_clip(path, options));
  } catch (const Error& error) {
    complaint = error.what();
    return -1;
  }
}

std::string complaint_about(const fs::path& path, const ClipOptions& options = {}) {
  std::string complaint = "none";
  frames_or_complaint(path, complaint, options);
  return complaint;
}

TEST(ClipAttack, NamesTheReasonForWhatIsNoClip) {
  EXPECT_THAT(complaint_about(with_bytes("empty.mp4", "")), HasSubstr("is empty"));
  EXPECT_THAT(complaint_about("no_such.mp4"), HasSubstr("No such file"));
  EXPECT_THAT(complaint_about(with_bytes("text.mp4", std::string(5000, 'a'))),
              HasSubstr("no video that can be decoded"));
}

TEST(ClipAttack, FollowsNoPlaylist) {
  const fs::path inner = small_clip("inner.avi", 5);
  const std::string list =
      "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n" + inner.string() + "\n#EXT-X-ENDLIST\n";
  EXPECT_THAT(complaint_about(with_bytes("list.mp4", list)), HasSubstr("no video"));
  const std::string joined = "ffconcat version 1.0\nfile '" + inner.string() + "'\n";
  EXPECT_THAT(complaint_about(with_bytes("joined.mp4", joined)), HasSubstr("no video"));
}

TEST(ClipAttack, ReadsWhatIsLeftOfATruncatedClip) {
  const std::string whole = read_file(small_clip("whole.avi", 40));
  std::string complaint;
  const Index frames =
      frames_or_complaint(with_bytes("half.avi", whole.substr(0, whole.size() / 2)), complaint);
  EXPECT_GT(frames, 10) << complaint;
  EXPECT_LT(frames, 40);
  // The table of an MP4 stands at its end.
  const std::string h264 = read_file(small_clip("whole.mp4", 40, {96, 128}, ClipCodec::kH264));
  EXPECT_THAT(complaint_about(with_bytes("half.mp4", h264.substr(0, h264.size() / 2))),
              HasSubstr("Cannot read"));
}

TEST(ClipAttack, SurvivesDamageAnywhere) {
  for (const auto& [name, codec] :
       {std::pair("damaged.avi", ClipCodec::kMjpeg), std::pair("damaged.mp4", ClipCodec::kH264)}) {
    const std::string whole = read_file(small_clip(name, 20, {96, 128}, codec));
    for (std::uint64_t round = 0; round < 6; ++round) {
      Random random(3, round);
      std::string damaged = whole;
      for (int k = 0; k < 40; ++k) {
        const auto at =
            static_cast<std::size_t>(random.uniform() * static_cast<double>(damaged.size() - 1));
        damaged[at] = static_cast<char>(static_cast<int>(255.0 * random.uniform()));
      }
      std::string complaint;
      const Index frames = frames_or_complaint(with_bytes(name, damaged), complaint);
      EXPECT_TRUE(frames >= 0 || !complaint.empty());
      EXPECT_LE(frames, 1000);
    }
  }
}

TEST(ClipAttack, AllowsNoMorePixelsThanItWasTold) {
  ClipOptions options;
  options.limits.max_pixels = 1000;
  EXPECT_THAT(complaint_about(small_clip("large.avi", 3), options), HasSubstr("larger"));
}

TEST(ClipAttack, AllowsNoMoreMemoryThanItWasTold) {
#ifdef LONGSHOT_SANITIZE_ADDRESS
  GTEST_SKIP() << "AddressSanitizer takes terabytes of addresses";
#endif
  ClipOptions options;
  options.confined.max_memory = std::int64_t{64} << 20;
  EXPECT_THAT(complaint_about(small_clip("memory.avi", 3), options), HasSubstr("Cannot read"));
}

// These need encoders that OpenCV does not offer.
class FfmpegClips : public testing::Test {
 protected:
  void SetUp() override {
    if (made_by_ffmpeg("-f lavfi -i testsrc=size=64x48:rate=25:duration=0.2", "try.mp4").empty()) {
      GTEST_SKIP() << "there is no ffmpeg here";
    }
  }
};

TEST_F(FfmpegClips, SoundAloneIsNoClip) {
  const fs::path sound = made_by_ffmpeg("-f lavfi -i sine=duration=1", "sound.mp4");
  ASSERT_FALSE(sound.empty());
  EXPECT_THAT(complaint_about(sound), HasSubstr("Cannot read"));
}

TEST_F(FfmpegClips, VariableRatesKeepTheirTimes) {
  const fs::path path = made_by_ffmpeg(
      "-f lavfi -i testsrc=size=64x48:rate=20:duration=2 -vf \"select='not(between(n,10,29))'\" "
      "-vsync vfr",
      "variable.mkv");
  ASSERT_FALSE(path.empty());
  const auto clip = open_clip(path);
  std::vector<double> seconds;
  while (const auto frame = clip->next()) seconds.push_back(frame->seconds);
  ASSERT_EQ(seconds.size(), 20u);
  EXPECT_NEAR(seconds[10] - seconds[9], 1.05, 0.011);
  EXPECT_NEAR(seconds[19], 1.95, 0.011);
}

TEST_F(FfmpegClips, RotatedOnesStandUpright) {
  const fs::path flat =
      made_by_ffmpeg("-f lavfi -i testsrc=size=64x48:rate=25:duration=0.2", "flat.mp4");
  const fs::path turned =
      made_by_ffmpeg("-i '" + flat.string() + "' -c copy -metadata:s:v:0 rotate=90", "turned.mp4");
  ASSERT_FALSE(turned.empty());
  EXPECT_EQ(size_of(open_clip(turned)->next()->image), (Size{64, 48}));
}

TEST_F(FfmpegClips, TenBitsAndEightThousandColumnsAreRead) {
  const fs::path deep = made_by_ffmpeg(
      "-f lavfi -i testsrc=size=64x48:rate=25:duration=0.4 -pix_fmt yuv420p10le", "deep.mkv");
  ASSERT_FALSE(deep.empty());
  EXPECT_EQ(count_frames(*open_clip(deep)), 10);
  const fs::path wide = made_by_ffmpeg(
      "-f lavfi -i color=size=7680x4320:rate=25:duration=0.08 -c:v libx264 -preset ultrafast",
      "wide.mp4");
  ASSERT_FALSE(wide.empty());
  EXPECT_EQ(size_of(open_clip(wide)->next()->image), (Size{4320, 7680}));
}

}  // namespace
}  // namespace longshot
