// SPDX-License-Identifier: Apache-2.0
#include "longshot/core/error.h"

#include <cerrno>
#include <string>

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(Error, IsBadInputUnlessAKindIsNamed) {
  const Error error("{} has {} pixels.", "a.png", 3);
  EXPECT_STREQ(error.what(), "a.png has 3 pixels.");
  EXPECT_EQ(error.kind(), ErrorKind::bad_input);
}

TEST(Error, CarriesItsKind) {
  const std::string name = "people.gallery";
  const Error formatted(ErrorKind::damaged, "{} is damaged.", name);
  EXPECT_STREQ(formatted.what(), "people.gallery is damaged.");
  EXPECT_EQ(formatted.kind(), ErrorKind::damaged);
  const Error plain(ErrorKind::busy, "Try again later.");
  EXPECT_STREQ(plain.what(), "Try again later.");
  EXPECT_EQ(plain.kind(), ErrorKind::busy);
}

TEST(Error, TakesTextFromElsewhereAsItIs) {
  const Error error(ErrorKind::not_found, std::string("no {braces} here"));
  EXPECT_STREQ(error.what(), "no {braces} here");
}

TEST(Error, TellsTheKindsOfSystemErrors) {
  EXPECT_EQ(kind_of(ENOENT), ErrorKind::not_found);
  EXPECT_EQ(kind_of(ENOSPC), ErrorKind::no_space);
  EXPECT_EQ(kind_of(EROFS), ErrorKind::read_only);
  EXPECT_EQ(kind_of(EACCES), ErrorKind::read_only);
  EXPECT_EQ(kind_of(EINVAL), ErrorKind::bad_input);
}

}  // namespace
}  // namespace longshot
