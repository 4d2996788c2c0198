// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/folder_listing.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

class FolderListingTest : public TreeTest {};

TEST_F(FolderListingTest, SortsAndPassesOverWhatIsNoImage) {
  for (const char* name :
       {"b.jpg", "a.PNG", "c.pgm", "README", "Thumbs.db", "dataset.json", ".hidden.jpg",
        "x.pgm.bad", "sub/a.jpg", ".git/a.jpg", "__MACOSX/a.jpg"}) {
    add(name);
  }
  const FolderListing listing = list_folder(root_);
  EXPECT_EQ(listing.images,
            (std::vector<fs::path>{root_ / "a.PNG", root_ / "b.jpg", root_ / "c.pgm"}));
  EXPECT_EQ(listing.folders, std::vector<fs::path>{root_ / "sub"});
  EXPECT_TRUE(listing.rejections.empty());
  EXPECT_EQ(listing.passed_over,
            (std::vector<fs::path>{root_ / "README", root_ / "Thumbs.db", root_ / "x.pgm.bad"}));
}

TEST_F(FolderListingTest, NamesPicturesAndClipsThatItCannotRead) {
  for (const char* name : {"a.jpg", "b.GIF", "c.mp4", "notes.txt"}) add(name);
  const FolderListing listing = list_folder(root_);
  EXPECT_EQ(listing.images.size(), 1U);
  ASSERT_EQ(listing.rejections.size(), 2U);
  EXPECT_EQ(listing.rejections[0].path, (root_ / "b.GIF").string());
  EXPECT_THAT(listing.rejections[1].reason, testing::HasSubstr(".mp4"));
}

TEST_F(FolderListingTest, RejectsEmptyFilesAndBrokenLinks) {
  add("empty.jpg", "");
  add("good.jpg");
  fs::create_symlink(root_ / "nowhere", root_ / "broken.jpg");
  fs::create_symlink("self.jpg", root_ / "self.jpg");
  fs::create_symlink("good.jpg", root_ / "link.jpg");
  const FolderListing listing = list_folder(root_);
  EXPECT_EQ(listing.images.size(), 2U);
  ASSERT_EQ(listing.rejections.size(), 3U);
  EXPECT_EQ(listing.rejections[0].path, (root_ / "broken.jpg").string());
  EXPECT_EQ(listing.rejections[0].reason, "The file does not exist.");
  EXPECT_EQ(listing.rejections[1].reason, "The file is empty.");
  EXPECT_THAT(listing.rejections[2].reason, testing::HasSubstr("cannot be opened"));
}

TEST_F(FolderListingTest, DoesNotFollowALinkToAFolderAboveIt) {
  add("anna/a.jpg");
  fs::create_directory_symlink(root_, root_ / "anna" / "up");
  fs::create_directory_symlink(".", root_ / "here");
  fs::create_directory_symlink("anna", root_ / "other");
  const FolderListing top = list_folder(root_);
  EXPECT_EQ(top.folders, (std::vector<fs::path>{root_ / "anna", root_ / "other"}));
  ASSERT_EQ(top.rejections.size(), 1U);
  EXPECT_THAT(top.rejections[0].reason, testing::HasSubstr("leads back"));
  EXPECT_TRUE(list_folder(root_ / "anna").folders.empty());
}

TEST_F(FolderListingTest, AMissingFolderIsARejection) {
  const FolderListing listing = list_folder(root_ / "none");
  ASSERT_EQ(listing.rejections.size(), 1U);
  EXPECT_THAT(listing.rejections[0].reason, testing::HasSubstr("No such file"));
}

TEST_F(FolderListingTest, FileProblemNamesEachCase) {
  EXPECT_EQ(file_problem(add("a.jpg")), "");
  EXPECT_EQ(file_problem(root_), "It is not a file.");
  EXPECT_EQ(file_problem(root_ / "none"), "The file does not exist.");
  EXPECT_EQ(file_problem(root_ / "a.jpg" / "b"), "The file does not exist.");
}

}  // namespace
}  // namespace longshot
