// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/middle_size.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(MiddleSize, OneLargeOrSmallFaceDoesNotDecide) {
  EXPECT_EQ(middle_size({{48, 40}, {7, 6}, {12, 10}}), (Size{12, 10}));
  EXPECT_EQ(middle_size({{12, 10}, {12, 10}, {2, 2}}), (Size{12, 10}));
  EXPECT_EQ(middle_size({{48, 40}, {7, 6}}), (Size{7, 6}));
  EXPECT_THROW(middle_size({}), Error);
}

}  // namespace
}  // namespace longshot
