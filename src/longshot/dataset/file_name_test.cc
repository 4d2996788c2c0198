// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/file_name.h"

#include <gtest/gtest.h>

namespace longshot {
namespace {

TEST(FileName, SubjectLosesOnlyTheNumberAtTheEnd) {
  EXPECT_EQ(subject_of_file("x/person.jpg"), "person");
  EXPECT_EQ(subject_of_file("person_2.jpg"), "person");
  EXPECT_EQ(subject_of_file("Aaron_Tippin_0001.jpg"), "Aaron_Tippin");
  EXPECT_EQ(subject_of_file("100032540_1.jpg"), "100032540");
  EXPECT_EQ(subject_of_file("david1.jpg"), "david1");
  EXPECT_EQ(subject_of_file("_2.jpg"), "_2");
  EXPECT_EQ(subject_of_file("123.jpg"), "123");
  EXPECT_EQ(subject_of_file("anna_.jpg"), "anna_");
}

TEST(FileName, WholeNumberTakesDigitsOnly) {
  EXPECT_EQ(whole_number("007"), 7);
  EXPECT_EQ(whole_number("999999999"), 999999999);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1a", "1234567890"}) {
    EXPECT_FALSE(whole_number(text)) << text;
  }
}

TEST(FileName, LowerCaseLeavesOtherBytes) {
  EXPECT_EQ(lower_case("M-001 \xC3\x84"), "m-001 \xC3\x84");
}

}  // namespace
}  // namespace longshot
