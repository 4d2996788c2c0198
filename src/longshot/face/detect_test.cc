// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/detect.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <opencv2/core.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

TEST(Detect, NothingIsProposedWhereNothingIs) {
  const std::unique_ptr<FaceDetector> detector = make_haar_detector();
  for (const bool again : {false, true}) {
    EXPECT_TRUE(
        detector->propose(cv::Mat(200, 200, CV_8U, cv::Scalar(128)), {44, 99}, again).empty());
    EXPECT_TRUE(detector->propose(cv::Mat(5, 5, CV_8U, cv::Scalar(0)), {44, 99}, again).empty());
  }
}

TEST(Detect, UnusableModelsAreRefused) {
  const fs::path text = fs::path(testing::TempDir()) / "not_a_model.onnx";
  write_file(text, "this is no network");
  EXPECT_THROW(make_yunet_detector(text), Error);
  EXPECT_THROW(make_yunet_detector(text.string() + ".none"), Error);
  EXPECT_THROW(make_haar_detector(testing::TempDir()), Error);
  fs::remove(text);
}

}  // namespace
}  // namespace longshot
