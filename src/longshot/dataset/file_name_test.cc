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

TEST(FileName, KnowsWhatCamerasCallTheirPhotos) {
  for (const char* name : {"IMG_2042", "img-2042", "DSC0001", "DSC_0001", "DSCN1234", "P1010001",
                           "100_0042", "00", "20230501_101500", "PXL_20230501_101500123",
                           "IMG-20230501-WA0007", "GOPR0123", "frame0007", "Photo 123 (1)", "7"}) {
    EXPECT_TRUE(is_camera_name(name)) << name;
  }
  for (const char* name : {"anna", "anna_2", "person_00012", "bert-2023", "p7", "IMG",
                           "Image of Bob", "img_anna", "Sam_2", "Peter 123", "x-wa1"}) {
    EXPECT_FALSE(is_camera_name(name)) << name;
  }
}

}  // namespace
}  // namespace longshot
