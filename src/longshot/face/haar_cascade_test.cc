// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/haar_cascade.h"

#include <algorithm>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/face/synthetic_scene_test.h"
#include "longshot/image/cv_mat.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

const fs::path kCascades = "/usr/share/opencv4/haarcascades";

// Windows of 4x4 pixels and one question: whether the right half is brighter than the left one, by
// so much of a deviation times the area.
std::string halves_cascade(const std::string& nodes = "0 -1 0 0.1",
                           const std::string& leaves = "-1. 1.",
                           const std::string& left = "0 0 2 4 -1.") {
  return "<?xml version=\"1.0\"?><opencv_storage><cascade><height>4</height><width>4</width>"
         "<stages><_><stageThreshold>0.5</stageThreshold><weakClassifiers><_><internalNodes>" +
         nodes + "</internalNodes><leafValues>" + leaves +
         "</leafValues></_></weakClassifiers></_></stages><features><_><rects><_>" + left +
         "</_><_>2 0 2 4 1.</_></rects></_></features></cascade></opencv_storage>";
}

HaarCascade read_cascade(const std::string& text) {
  const fs::path file = fs::path(testing::TempDir()) / "cascade.xml";
  write_file(file, text);
  HaarCascade cascade(file);
  fs::remove(file);
  return cascade;
}

// An edge between its columns `at` - 1 and `at`.
cv::Mat edge(int rows, int cols, int at) {
  cv::Mat grey(rows, cols, CV_8U, cv::Scalar(50));
  grey.colRange(at, cols) = 200;
  return grey;
}

TEST(HaarCascade, WindowsThatAnswerAsTheyMustPass) {
  const HaarCascade cascade = read_cascade(halves_cascade());
  EXPECT_EQ(cascade.side(), 4);
  // Windows without the edge, or with it at their rim alone, are flat within.
  const std::vector<HaarWindow> expected = {{7, 0}, {7, 1}};
  const std::vector<HaarWindow> found = cascade.passing(edge(5, 20, 9));
  EXPECT_EQ(found, expected);
  // The last windows of a row have no neighbours.
  EXPECT_EQ(cascade.passing(edge(4, 5, 3)), (std::vector<HaarWindow>{{1, 0}}));
  EXPECT_TRUE(cascade.passing(255 - edge(5, 20, 9)).empty());
  EXPECT_TRUE(cascade.passing(edge(3, 20, 9)).empty());
}

TEST(HaarCascade, TheSecondQuestionIsAskedWhereTheFirstLeadsToIt) {
  // Above the first threshold passes what is below the second one, which nothing is.
  const HaarCascade none = read_cascade(halves_cascade("0 1 0 0.1 -1 -2 0 0.05", "-1. 1. -1."));
  EXPECT_TRUE(none.passing(edge(4, 20, 9)).empty());
  const HaarCascade all = read_cascade(halves_cascade("0 1 0 0.1 -1 -2 0 0.05", "-1. -1. 1."));
  EXPECT_EQ(all.passing(edge(4, 20, 9)), (std::vector<HaarWindow>{{7, 0}}));
  const HaarCascade below = read_cascade(halves_cascade("1 0 0 0.1 -1 -2 0 -0.1", "-1. 1. -1."));
  EXPECT_TRUE(below.passing(edge(4, 20, 9)).empty());
  EXPECT_FALSE(below.passing(255 - edge(4, 20, 9)).empty());
}

TEST(HaarCascade, WhatOpenCvFindsIsFoundAndNothingElse) {
  const cv::Mat grey = to_cv_bytes(small_portrait(1, 18.0).image);
  constexpr double kFactor = 1.2 * 1.2 * 1.2 * 1.2;  // from 2 on it looks at every window
  cv::Mat small;
  cv::resize(grey, small, cv::Size(cvRound(grey.cols / kFactor), cvRound(grey.rows / kFactor)), 0,
             0, cv::INTER_LINEAR_EXACT);
  for (const char* name : {"haarcascade_frontalface_alt2.xml", "haarcascade_frontalface_alt.xml",
                           "haarcascade_frontalface_default.xml"}) {
    const HaarCascade cascade(kCascades / name);
    cv::CascadeClassifier other((kCascades / name).string());
    const int width = cvRound(cascade.side() * kFactor);
    std::vector<cv::Rect> boxes;
    other.detectMultiScale(grey, boxes, 1.2, 0, 0, {width, width}, {width, width});
    std::vector<std::pair<int, int>> expected;
    for (const cv::Rect& box : boxes) expected.emplace_back(box.y, box.x);
    std::ranges::sort(expected);
    ASSERT_FALSE(expected.empty()) << name;
    const std::vector<HaarWindow> found = cascade.passing(small);
    std::vector<std::pair<int, int>> ours;
    for (const HaarWindow& window : found) {
      ours.emplace_back(cvRound(window.y * kFactor), cvRound(window.x * kFactor));
    }
    EXPECT_EQ(ours, expected) << name;
    EXPECT_EQ(cascade.passing_portably(small), found) << name;
  }
}

TEST(HaarCascade, FilesThatAreNoneAreRefused) {
  EXPECT_THROW(HaarCascade("/nowhere/cascade.xml"), Error);
  EXPECT_THROW(read_cascade("no cascade"), Error);
  EXPECT_THROW(read_cascade("<?xml version=\"1.0\"?><opencv_storage></opencv_storage>"), Error);
  EXPECT_THROW(read_cascade(halves_cascade("0 -1 0 0.1", "-1.")), Error);
  EXPECT_THROW(read_cascade(halves_cascade("0 -1 1 0.1")), Error);  // there is no such feature
  EXPECT_THROW(read_cascade(halves_cascade("0 -2 0 0.1")), Error);  // nor such a leaf
  EXPECT_THROW(read_cascade(halves_cascade("0 1 0 0.1")), Error);   // nor such a node
  EXPECT_THROW(read_cascade(halves_cascade("0 -1 0 0.1", "-1. 1.", "3 0 2 4 -1.")), Error);
  EXPECT_THROW(read_cascade(halves_cascade("0 -1 0 0.1", "-1. 1.", "0 -1 2 4 -1.")), Error);
}

}  // namespace
}  // namespace longshot
