// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/frame_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "longshot/core/file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// A folder of empty files of these names: nothing is read to list them.
fs::path folder_of(const std::string& name, const std::vector<std::string>& files) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const std::string& file : files) write_file(folder / file, "");
  return folder;
}

TEST(FrameFolder, SortsByNumber) {
  const fs::path folder =
      folder_of("sorted", {"frame_10.png", "frame_9.png", "frame_011.png", "notes.txt"});
  const auto frames = list_frames(folder);
  ASSERT_TRUE(frames);
  EXPECT_EQ(frames->word, "frame_");
  EXPECT_THAT(frames->frames, ElementsAre(folder / "frame_9.png", folder / "frame_10.png",
                                          folder / "frame_011.png"));
}

TEST(FrameFolder, IsNoneWithOtherPicturesFoldersOrAManifest) {
  EXPECT_FALSE(list_frames(folder_of("few", {"1.png", "2.png"})));
  EXPECT_FALSE(list_frames(folder_of("names", {"anna.png", "bert.png", "carl.png"})));
  EXPECT_FALSE(list_frames(folder_of("words", {"a1.png", "a2.png", "b3.png"})));
  EXPECT_FALSE(list_frames(folder_of("listed", {"1.png", "2.png", "3.png", "manifest.csv"})));
  EXPECT_FALSE(list_frames(folder_of("huge", {"1.png", "2.png", "99999999999999999999999.png"})));
  const fs::path nested = folder_of("nested", {"1.png", "2.png", "3.png"});
  fs::create_directories(nested / "more");
  EXPECT_FALSE(list_frames(nested));
  EXPECT_FALSE(list_frames("no/such/folder"));
}

}  // namespace
}  // namespace longshot
