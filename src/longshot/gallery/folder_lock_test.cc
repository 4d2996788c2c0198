// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/folder_lock.h"

#include <gmock/gmock.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

class FolderLockTest : public ScratchTest {};

TEST_F(FolderLockTest, OneAtATimeAndFreeAfterwards) {
  {
    const FolderLock lock(folder_, 0);
    EXPECT_TRUE(lock.held());
    EXPECT_THAT(message_of([&] { const FolderLock other(folder_, 20); }),
                testing::HasSubstr("locked by another program"));
  }
  EXPECT_TRUE(FolderLock(folder_, 0).held());
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(FolderLockTest, AKilledProcessHoldsNothing) {
  Child child([&](int pipe) {
    const FolderLock lock(folder_, 0);
    Child::send(pipe, "held");
    ::raise(SIGKILL);
  });
  EXPECT_EQ(child.received(), "held");
  EXPECT_TRUE(FolderLock(folder_, 0).held());
}

TEST_F(FolderLockTest, WithoutAFolderItHoldsNothing) {
  EXPECT_FALSE(FolderLock(folder_ / "none", 0).held());
  EXPECT_EQ(folder_of("people.gallery"), ".");
  EXPECT_EQ(folder_of("a/people.gallery"), "a");
}

}  // namespace
}  // namespace longshot
