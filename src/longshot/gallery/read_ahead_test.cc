// SPDX-License-Identifier: Apache-2.0
#include "longshot/gallery/read_ahead.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "longshot/gallery/scratch_test.h"

namespace longshot {
namespace {

using ReadAheadFolder = ScratchTest;

TEST_F(ReadAheadFolder, FindsTheDescriptorOfAnOpenFile) {
  const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(descriptor, 0);
  EXPECT_EQ(open_descriptor(path_), descriptor);
  EXPECT_EQ(open_descriptor(folder_ / "." / path_.filename()), descriptor);
  ::close(descriptor);
  EXPECT_EQ(open_descriptor(path_), -1);
}

TEST_F(ReadAheadFolder, NeitherAnEmptyFileNorNoneIsWaitedFor) {
  const ReadAhead none(folder_ / "nobody");
  const int descriptor = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(descriptor, 0);
  { const ReadAhead empty(path_); }
  EXPECT_EQ(open_descriptor(path_), descriptor);
  ::close(descriptor);
}

}  // namespace
}  // namespace longshot
