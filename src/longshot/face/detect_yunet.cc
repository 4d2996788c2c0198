// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/face/detect.h"
#include "longshot/face/lending_pool.h"
#include "longshot/image/align.h"

namespace longshot {
namespace {

constexpr int kSmallest = 64;  // the network needs at least that
constexpr float kScoreThreshold = 0.3F;
constexpr float kScoreThresholdAgain = 0.1F;
constexpr float kOverlapThreshold = 0.3F;
constexpr double kYunetLeastWidth = 44.0;

class YunetDetector final : public FaceDetector {
 public:
  explicit YunetDetector(const std::filesystem::path& model)
      : name_(model.filename().string()), networks_([model] { return load(model); }) {
    read_file(model);  // says what is wrong with a missing file better than OpenCV does
    try {
      propose(cv::Mat(kSmallest, kSmallest, CV_8U, cv::Scalar(128)), {1.0, kSmallest}, false);
    } catch (const cv::Exception&) {
      throw Error("Cannot use {} as a face detector: it is not a YuNet network.", model.string());
    }
  }

  std::vector<FaceProposal> propose(const cv::Mat& grey, BoxRange widths,
                                    bool again) const override {
    cv::Mat input;
    cv::copyMakeBorder(grey, input, 0, std::max(0, kSmallest - grey.rows), 0,
                       std::max(0, kSmallest - grey.cols), cv::BORDER_REPLICATE);
    cv::cvtColor(input, input, cv::COLOR_GRAY2BGR);
    cv::Mat found;
    networks_.lend([&](Network& network) {
      network->setInputSize(input.size());
      network->setScoreThreshold(again ? kScoreThresholdAgain : kScoreThreshold);
      network->detect(input, found);
    });
    std::vector<FaceProposal> proposals;
    for (int i = 0; i < found.rows; ++i) {
      const auto* row = found.ptr<float>(i);
      const FaceProposal proposal = to_proposal(row);
      const double width = box_of_eyes(proposal.eyes).width;
      if (width >= widths.least && width <= widths.most) proposals.push_back(proposal);
    }
    return proposals;
  }

  double least_width() const override { return kYunetLeastWidth; }
  std::string name() const override { return name_; }

 private:
  using Network = cv::Ptr<cv::FaceDetectorYN>;

  static std::unique_ptr<Network> load(const std::filesystem::path& model) {
    return std::make_unique<Network>(cv::FaceDetectorYN::create(
        model.string(), "", cv::Size(kSmallest, kSmallest), kScoreThreshold, kOverlapThreshold));
  }

  // OpenCV's row: x, y, w, h, right eye (the person's, so on the image's left), left eye, nose,
  // mouth corners, score.
  static FaceProposal to_proposal(const float* row) {
    const auto at = [&](int i) -> Point {
      return {static_cast<double>(row[i]), static_cast<double>(row[i + 1])};
    };
    FaceProposal proposal{{at(4), at(6)}, true, 10.0 * static_cast<double>(row[14])};
    if (proposal.eyes.left.x > proposal.eyes.right.x) {
      std::swap(proposal.eyes.left, proposal.eyes.right);
    }
    return proposal;
  }

  std::string name_;
  LendingPool<Network> networks_;  // OpenCV's networks keep state between calls
};

}  // namespace

std::unique_ptr<FaceDetector> make_yunet_detector(const std::filesystem::path& model) {
  return std::make_unique<YunetDetector>(model);
}

}  // namespace longshot
