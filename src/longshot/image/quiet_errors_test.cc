// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/quiet_errors.h"

#include <iostream>
#include <thread>

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(QuietErrors, DropWhatTheirThreadWritesAndNothingElse) {
  testing::internal::CaptureStderr();
  std::cerr << "before" << 1 << '\n';
  {
    const QuietErrors outer;
    const QuietErrors inner;
    std::cerr << "dropped" << 2 << std::endl;
    std::thread([] { std::cerr << "elsewhere" << 3 << '\n'; }).join();
  }
  std::cerr << "after" << 4 << std::endl;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "before1\nelsewhere3\nafter4\n");
}

}  // namespace
}  // namespace longshot
