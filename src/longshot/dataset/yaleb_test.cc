// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/yaleb.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

class YaleB : public TreeTest {};

TEST_F(YaleB, ParsesTheAngles) {
  EXPECT_EQ(parse_flash_angles("A+035E+15"), (FlashAngles{35, 15}));
  EXPECT_EQ(parse_flash_angles("A-130E+20"), (FlashAngles{-130, 20}));
  EXPECT_EQ(parse_flash_angles("A+000E-35"), (FlashAngles{0, -35}));
  for (const char* text : {"", "A", "Ambient", "A035E+15", "A+035", "A+035E15", "A+0x5E+15",
                           "A+035E+15 ", "A+200E+00", "A+000E+91", "E+00A+00"}) {
    EXPECT_FALSE(parse_flash_angles(text)) << text;
  }
}

TEST_F(YaleB, ReadsTheTree) {
  for (const char* name : {"yaleB02/yaleB02_P00A+035E+15.pgm", "yaleB02/yaleB02_P00_Ambient.pgm",
                           "yaleB02/yaleB02_P00A-005E-10.pgm.bad", "yaleB02/yaleB02_P00.info",
                           "yaleB01/yaleB01_P03A+000E+00.pgm", "yaleB01/holiday.pgm"}) {
    add(name);
  }
  EXPECT_TRUE(is_yaleb(root_));
  const Dataset dataset = read_yaleb(root_);
  ASSERT_EQ(dataset.samples.size(), 3U);
  EXPECT_EQ(dataset.samples[0].subject, "yaleB01");
  EXPECT_EQ(dataset.samples[0].condition, "P03A+000E+00");
  EXPECT_EQ(dataset.samples[1].subject, "yaleB02");
  EXPECT_EQ(dataset.samples[1].condition, "A+035E+15");
  EXPECT_EQ(dataset.samples[2].condition, "Ambient");
  ASSERT_EQ(dataset.rejections.size(), 1U);
  EXPECT_THAT(dataset.rejections[0].path, testing::EndsWith("holiday.pgm"));
  EXPECT_EQ(dataset.aligned, (FaceFrame{{{0.207, 0.242}, {0.772, 0.242}}, kSquarePixels}));
}

TEST_F(YaleB, ReadsTheFlatLayoutAndPrefersDatasetJson) {
  add("yaleB11_P00A+000E+00.pgm");
  add("yaleB12_P00A+000E+00.pgm");
  add("dataset.json", R"({"aligned": true, "eyes": [0.2, 0.3, 0.8, 0.3]})");
  EXPECT_TRUE(is_yaleb(root_));
  const Dataset dataset = read_yaleb(root_);
  EXPECT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.aligned, (FaceFrame{{{0.2, 0.3}, {0.8, 0.3}}, kSquarePixels}));
}

TEST_F(YaleB, UncroppedPhotographsAreNotAligned) {
  add("yaleB11_P00A+000E+00.pgm", "P5\n640 480\n255\n");
  EXPECT_FALSE(read_yaleb(root_).aligned);
  add("yaleB11_P00A+000E+00.pgm", "P5\n168 192\n255\n");
  EXPECT_TRUE(read_yaleb(root_).aligned);
}

TEST_F(YaleB, OtherNamesAreNotTaken) {
  for (const char* name : {"yaleB01.pgm", "yaleB_P00A+000E+00.pgm", "yaleB01_P0.pgm",
                           "yaleB01_P00A+000.pgm", "yaleB01_Pxx_Ambient.pgm", "yale.pgm"}) {
    add(name);
  }
  EXPECT_FALSE(is_yaleb(root_));
  const Dataset dataset = read_yaleb(root_);
  EXPECT_TRUE(dataset.samples.empty());
  EXPECT_EQ(dataset.rejections.size(), 6U);
}

}  // namespace
}  // namespace longshot
