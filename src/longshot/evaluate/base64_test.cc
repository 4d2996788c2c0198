// SPDX-License-Identifier: Apache-2.0
#include "longshot/evaluate/base64.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(Base64, GivesTheAnswersOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, TakesAnyByte) {
  EXPECT_EQ(base64(std::string_view("\0\xff\x80\xfb", 4)), "AP+A+w==");
}

}  // namespace
}  // namespace longshot
