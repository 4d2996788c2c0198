// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/pie.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

class Pie : public TreeTest {};

const FaceFrame kUsual{{{0.27, 0.23}, {0.74, 0.23}}, kSquarePixels};

TEST_F(Pie, ReadsOneFolder) {
  for (const char* name :
       {"illum/s02/i07.pgm", "illum/s01/i21.pgm", "illum/s01/README", "illum/notes/x.pgm"}) {
    add(name);
  }
  EXPECT_TRUE(is_pie(root_ / "illum"));
  for (const char* path : {"illum", "illum/", "illum/."}) {
    const Dataset dataset = read_pie(root_ / path);
    ASSERT_EQ(dataset.samples.size(), 2U);
    EXPECT_EQ(dataset.samples[0].subject, "s01");
    EXPECT_EQ(dataset.samples[0].condition, "i21");
    EXPECT_EQ(dataset.samples[1].condition, "i07");
    EXPECT_EQ(dataset.samples[1].session, "illum") << path;
    EXPECT_EQ(dataset.aligned, kUsual);
    EXPECT_TRUE(dataset.rejections.empty());
  }
}

TEST_F(Pie, ReadsBothFoldersFromTheirParent) {
  add("illum/s01/i01.pgm");
  add("lights/s01/i01.pgm");
  EXPECT_TRUE(is_pie(root_));
  const Dataset dataset = read_pie(root_);
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].session, "illum");
  EXPECT_EQ(dataset.samples[1].session, "lights");
}

TEST_F(Pie, AnyOtherFolderHasNoSession) {
  add("s01/i01.pgm");
  EXPECT_TRUE(is_pie(root_));
  ASSERT_EQ(read_pie(root_).samples.size(), 1U);
  EXPECT_EQ(read_pie(root_).samples[0].session, "");
}

TEST_F(Pie, DatasetJsonDecidesAndMustAgree) {
  add("illum/s01/i01.pgm");
  add("lights/s01/i01.pgm");
  add("illum/dataset.json", R"({"aligned": true, "eyes": [0.27, 0.23, 0.74, 0.23]})");
  EXPECT_EQ(read_pie(root_).aligned, kUsual);
  add("lights/dataset.json", R"({"aligned": true, "eyes": [0.2, 0.3, 0.8, 0.3]})");
  EXPECT_EQ(read_pie(root_ / "lights").aligned,
            (FaceFrame{{{0.2, 0.3}, {0.8, 0.3}}, kSquarePixels}));
  EXPECT_THAT(error_of([&] { read_pie(root_); }), testing::HasSubstr("one at a time"));
}

TEST_F(Pie, OtherNamesAreRejectedOrNotTaken) {
  add("s01/i22.pgm");
  add("s01/i00.pgm");
  add("s01/i1.pgm");
  add("s01/i03.pgm", "");
  EXPECT_FALSE(is_pie(root_));
  const Dataset dataset = read_pie(root_);
  EXPECT_TRUE(dataset.samples.empty());
  EXPECT_EQ(dataset.rejections.size(), 4U);
  EXPECT_FALSE(is_pie(root_ / "s01"));
}

}  // namespace
}  // namespace longshot
