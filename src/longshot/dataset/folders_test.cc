// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/folders.h"

#include <gmock/gmock.h>

#include "longshot/core/error.h"
#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class Folders : public TreeTest {};

TEST_F(Folders, OnePersonPerFolder) {
  for (const char* name : {"anna/b.jpg", "anna/a.jpg", "bob/day 1/x.png", "bob/y.png",
                           "bob/day 1/deep/z.png", "README.md", "bob/Thumbs.db"}) {
    add(name);
  }
  const Dataset dataset = read_person_folders(root_);
  ASSERT_EQ(dataset.samples.size(), 4U);
  EXPECT_EQ(dataset.samples[0].path, root_ / "anna/a.jpg");
  EXPECT_EQ(dataset.samples[0].subject, "anna");
  EXPECT_EQ(dataset.samples[0].session, "");
  EXPECT_EQ(dataset.samples[2].path, root_ / "bob/y.png");
  EXPECT_EQ(dataset.samples[3].subject, "bob");
  EXPECT_EQ(dataset.samples[3].session, "day 1");
  EXPECT_TRUE(dataset.rejections.empty());
  EXPECT_FALSE(dataset.aligned);
}

TEST_F(Folders, TheFolderAboveIsNotOnePerson) {
  add("photos/anna/a.jpg");
  EXPECT_EQ(read_person_folders(root_).samples.front().session, "anna");  // or a day of hers
  add("photos/bob/b.jpg");
  try {
    read_person_folders(root_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("name " + (root_ / "photos").string()));
  }
  EXPECT_EQ(read_person_folders(root_ / "photos").samples.size(), 2U);
  add("carl/day 1/c.jpg");
  EXPECT_EQ(read_person_folders(root_).samples.size(), 3U);
}

TEST_F(Folders, ImagesBesideTheFoldersAreNamedByTheirFile) {
  add("anna/a.jpg");
  add("bob_2.jpg");
  EXPECT_EQ(read_person_folders(root_).samples.size(), 2U);
  const Dataset flat = read_flat_folder(root_);
  ASSERT_EQ(flat.samples.size(), 1U);
  EXPECT_EQ(flat.samples[0].subject, "bob");
}

TEST_F(Folders, SingleImage) {
  add("dataset.json", R"({"aligned": true})");
  const Dataset dataset = read_single_image(add("anna/Anna_Lee_3.pgm"));
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.samples[0].subject, "Anna_Lee");
  EXPECT_EQ(dataset.samples[0].row, -1);
  EXPECT_EQ(dataset.aligned, (FaceFrame{FaceFrame().eyes, kSquarePixels}));
  const Dataset bad = read_single_image(add("empty.jpg", ""));
  EXPECT_TRUE(bad.samples.empty());
  ASSERT_EQ(bad.rejections.size(), 1U);
  EXPECT_EQ(bad.rejections[0].reason, "The file is empty.");
}

TEST_F(Folders, LoopsAndEmptyFilesAreRejections) {
  add("anna/a.jpg");
  add("anna/empty.png", "");
  fs::create_directory_symlink(root_, root_ / "anna" / "up");
  fs::create_directory_symlink(root_, root_ / "again");
  fs::create_directory_symlink("loop", root_ / "loop");
  const Dataset dataset = read_person_folders(root_);
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_EQ(dataset.rejections.size(), 3U);
}

}  // namespace
}  // namespace longshot
