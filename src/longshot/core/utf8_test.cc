// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/utf8.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(Utf8, FrontCharacters) {
  EXPECT_EQ(utf8_front("a"), U'a');
  EXPECT_EQ(utf8_front("\xC2\x9B"), U'\u009B');
  EXPECT_EQ(utf8_front("\xC3\xA9x"), U'\u00E9');
  EXPECT_EQ(utf8_front("\xE2\x80\xAE"), U'\u202E');
  EXPECT_EQ(utf8_front("\xF0\x9F\x98\x80"), U'\U0001F600');
  EXPECT_EQ(utf8_length("\xF0\x9F\x98\x80x"), 4U);
}

TEST(Utf8, WhatIsNone) {
  for (const char* text : {"\x80", "\x9B", "\xC0\x80", "\xC2", "\xE0\x80\x80", "\xED\xA0\x80",
                           "\xF4\x90\x80\x80", "\xFF", "ok\xE2\x80"}) {
    EXPECT_FALSE(is_utf8(text)) << text;
  }
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("Ad\xC3\xA8le"));
}

TEST(Utf8, Controls) {
  for (const char32_t c : {U'\0', U'\n', U'\x1B', U'\x7F', U'\u0080', U'\u009F'}) {
    EXPECT_TRUE(is_control(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : {U' ', U'~', U'\u00A0', U'\u202E'}) {
    EXPECT_FALSE(is_control(c)) << static_cast<unsigned>(c);
  }
}

}  // namespace
}  // namespace longshot
