// SPDX-License-Identifier: Apache-2.0
#include "longshot/dataset/manifest.h"

#include "longshot/dataset/tree_test.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Manifest : public TreeTest {
 protected:
  void SetUp() override {
    TreeTest::SetUp();
    add("a.jpg");
    add("sub/b, c.jpg");
  }
  Dataset read(std::string_view text) const { return read_manifest(add("manifest.csv", text)); }
  // The reason why the only line is rejected.
  std::string reason(std::string_view text) const {
    const Dataset dataset = read(text);
    EXPECT_TRUE(dataset.samples.empty());
    if (dataset.rejections.size() != 1) return "not one rejection";
    EXPECT_THAT(dataset.rejections[0].path, testing::EndsWith("manifest.csv:2"));
    return dataset.rejections[0].reason;
  }
};

TEST_F(Manifest, ReadsColumnsInAnyOrder) {
  const Dataset dataset = read(
      "\xEF\xBB\xBF"
      "right_eye_y,Subject,left_eye_x,left_eye_y,right_eye_x,extra,path,role,session,condition,"
      "box_x,box_y,box_w,box_h\r\n"
      "12.5,anna,10,11,30.25,?,a.jpg,Probe,s2,dark,1,2,30,40\r\n"
      ",\"Smith, J\",,,,,\"sub/b, c.jpg\",,,,,,,\r\n");
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_TRUE(dataset.rejections.empty());
  const Sample& first = dataset.samples[0];
  EXPECT_EQ(first.path, root_ / "a.jpg");
  EXPECT_EQ(first.row, -1);
  EXPECT_EQ(first.subject, "anna");
  EXPECT_EQ(first.session, "s2");
  EXPECT_EQ(first.condition, "dark");
  EXPECT_EQ(first.role, Role::kProbe);
  EXPECT_EQ(first.eyes, (Eyes{{10, 11}, {30.25, 12.5}}));
  EXPECT_EQ(first.box, (Box{1, 2, 30, 40}));
  const Sample& second = dataset.samples[1];
  EXPECT_EQ(second.path, root_ / "sub/b, c.jpg");
  EXPECT_EQ(second.subject, "Smith, J");
  EXPECT_EQ(second.role, Role::kUnspecified);
  EXPECT_FALSE(second.eyes);
  EXPECT_FALSE(second.box);
  EXPECT_FALSE(dataset.aligned);
}

TEST_F(Manifest, TakesBackslashesAbsolutePathsAndTheFrameBeside) {
  add("sub/d.jpg");
  add("dataset.json", R"({"aligned": true})");
  const Dataset dataset =
      read(fmt::format("path,subject\nsub\\d.jpg,x\n{},y\n", (root_ / "a.jpg").string()));
  ASSERT_EQ(dataset.samples.size(), 2U);
  EXPECT_EQ(dataset.samples[0].path, root_ / "sub/d.jpg");
  EXPECT_EQ(dataset.samples[1].path, root_ / "a.jpg");
  EXPECT_EQ(dataset.aligned, (FaceFrame{FaceFrame().eyes, kSquarePixels}));
}

TEST_F(Manifest, NamesWhatTheHeaderLacks) {
  const auto message = [&](std::string_view text) { return error_of([&] { read(text); }); };
  EXPECT_THAT(message("file,subject\na.jpg,x\n"), HasSubstr("no column path"));
  EXPECT_THAT(message("file,name\na.jpg,x\n"), HasSubstr("no column path and no column subject"));
  EXPECT_THAT(message("path;subject\na.jpg;x\n"), HasSubstr("commas"));
  EXPECT_THAT(message("path,subject,Path\n"), HasSubstr("path twice"));
  EXPECT_THAT(message(""), HasSubstr("is empty"));
  EXPECT_THAT(message("\xFF\xFEp"), HasSubstr("UTF-16"));
  EXPECT_THAT(error_of([&] { read_manifest(root_ / "none.csv"); }), HasSubstr("No such file"));
}

TEST_F(Manifest, RejectsABadLineAndKeepsTheOthers) {
  const Dataset dataset = read("path,subject\na.jpg,x\nnone.jpg,x\na.jpg,y\n");
  EXPECT_EQ(dataset.samples.size(), 2U);
  ASSERT_EQ(dataset.rejections.size(), 1U);
  EXPECT_EQ(dataset.rejections[0].path, (root_ / "manifest.csv").string() + ":3");
  EXPECT_THAT(dataset.rejections[0].reason,
              HasSubstr("none.jpg cannot be used: The file does not"));
}

TEST_F(Manifest, SaysWhyALineIsBad) {
  add("empty.jpg", "");
  add("faces.mat");
  EXPECT_THAT(reason("path,subject\nempty.jpg,x\n"), HasSubstr("is empty"));
  EXPECT_THAT(reason("path,subject\nsub,x\n"), HasSubstr("not a file"));
  EXPECT_THAT(reason("path,subject\n,x\n"), HasSubstr("path is empty"));
  EXPECT_THAT(reason("path,subject\na.jpg,\n"), HasSubstr("subject is empty"));
  EXPECT_EQ(read("path,subject,source\na.jpg,,frame.jpg\n").samples.at(0).subject, "");
  EXPECT_THAT(reason("path,subject\na.jpg\n"), HasSubstr("1 fields, the header has 2"));
  EXPECT_THAT(reason("path,subject\na.jpg,x,y\n"), HasSubstr("3 fields"));
  EXPECT_THAT(reason("path,subject\n\"a.jpg,x\n"), HasSubstr("not closed"));
  EXPECT_THAT(reason("path,subject,role\na.jpg,x,test\n"), HasSubstr("\"test\""));
  EXPECT_THAT(reason(std::string_view("path,subject\na\0.jpg,x\n", 22)), HasSubstr("zero byte"));
  EXPECT_THAT(reason("path,subject\nfaces.mat,x\n"), HasSubstr("column row"));
  EXPECT_THAT(reason("path,subject,row\nfaces.mat,x,-1\n"), HasSubstr("column row"));
}

TEST_F(Manifest, RejectsHalfGivenOrWrongEyesAndBoxes) {
  const std::string eyes = "path,subject,left_eye_x,left_eye_y,right_eye_x,right_eye_y\na.jpg,x,";
  EXPECT_THAT(reason(eyes + "1,2,,4\n"), HasSubstr("right_eye_x is missing"));
  EXPECT_THAT(reason(eyes + "1,2,3,4px\n"), HasSubstr("\"4px\""));
  EXPECT_THAT(reason(eyes + "1,2,inf,4\n"), HasSubstr("\"inf\""));
  EXPECT_THAT(reason(eyes + "5,2,3,4\n"), HasSubstr("left_eye_x must be less"));
  EXPECT_THAT(reason("path,subject,left_eye_x\na.jpg,x,1\n"), HasSubstr("left_eye_y is missing"));
  const std::string box = "path,subject,box_x,box_y,box_w,box_h\na.jpg,x,";
  EXPECT_THAT(reason(box + "1,2,3,\n"), HasSubstr("box_h is missing"));
  EXPECT_THAT(reason(box + "1,2,0,3\n"), HasSubstr("greater than 0"));
}

TEST_F(Manifest, WhatIsWrittenIsReadBack) {
  add("faces.mat");
  std::vector<Sample> samples(3);
  samples[0].path = root_ / "sub/b, c.jpg";
  samples[0].subject = "Smith, \"J\"";
  samples[0].eyes = Eyes{{0.1, 1.0 / 3.0}, {2e10, -5}};
  samples[0].box = Box{0.5, 1, 2, 3};
  samples[0].role = Role::kGallery;
  samples[1].path = root_ / "a.jpg";
  samples[1].subject = " x";
  samples[1].condition = "A+035E+15";
  samples[1].session = "two\nlines";
  samples[2].path = root_ / "faces.mat";
  samples[2].row = 17;
  samples[2].subject = "3";
  samples[2].role = Role::kTrain;
  fs::create_directories(root_ / "runs");
  const fs::path file = root_ / "runs" / "run.csv";
  write_manifest(file, samples);
  const Dataset dataset = read_manifest(file);
  EXPECT_TRUE(dataset.rejections.empty());
  ASSERT_EQ(dataset.samples.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_TRUE(fs::equivalent(dataset.samples[i].path, samples[i].path));
    EXPECT_EQ(dataset.samples[i].row, samples[i].row);
    EXPECT_EQ(dataset.samples[i].subject, samples[i].subject);
    EXPECT_EQ(dataset.samples[i].session, samples[i].session);
    EXPECT_EQ(dataset.samples[i].condition, samples[i].condition);
    EXPECT_EQ(dataset.samples[i].role, samples[i].role);
    EXPECT_EQ(dataset.samples[i].eyes, samples[i].eyes);
    EXPECT_EQ(dataset.samples[i].box, samples[i].box);
  }
}

TEST_F(Manifest, WritesOnlyTheColumnsInUse) {
  Sample sample;
  sample.path = root_ / "a.jpg";
  sample.subject = "anna";
  write_manifest(root_ / "m.csv", {sample});
  EXPECT_EQ(read_file(root_ / "m.csv"), "path,subject\na.jpg,anna\n");
  write_manifest(root_ / "m.csv", {});
  EXPECT_EQ(read_file(root_ / "m.csv"), "path,subject\n");
  EXPECT_THROW(write_manifest(root_ / "no" / "folder.csv", {sample}), Error);
}

TEST_F(Manifest, PathsStayRightAcrossALinkedFolder) {
  fs::create_directories(root_ / "deep/er");
  fs::create_directory_symlink(root_ / "deep/er", root_ / "link");
  Sample sample;
  sample.path = root_ / "a.jpg";
  sample.subject = "anna";
  write_manifest(root_ / "link/m.csv", {sample});
  const Dataset dataset = read_manifest(root_ / "link/m.csv");
  ASSERT_EQ(dataset.samples.size(), 1U);
  EXPECT_TRUE(fs::equivalent(dataset.samples[0].path, root_ / "a.jpg"));
}

}  // namespace
}  // namespace longshot
