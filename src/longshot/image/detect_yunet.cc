// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <mutex>

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "longshot/core/error.h"
#include "longshot/core/file.h"
#include "longshot/image/cv_mat.h"
#include "longshot/image/detect.h"

namespace longshot {
namespace {

constexpr int kLongSide = 480;    // photos are brought to this before detection
constexpr int kSmallest = 64;     // the network needs at least that
constexpr double kBorder = 0.25;  // tight crops need room around the face
constexpr float kScoreThreshold = 0.6F;
constexpr float kOverlapThreshold = 0.3F;

class YunetDetector final : public FaceDetector {
 public:
  explicit YunetDetector(const std::filesystem::path& model) : name_(model.filename().string()) {
    read_file(model);  // says what is wrong with a missing file better than OpenCV does
    try {
      network_ = cv::FaceDetectorYN::create(model.string(), "", cv::Size(kSmallest, kSmallest),
                                            kScoreThreshold, kOverlapThreshold);
      detect(Image::Constant(kSmallest, kSmallest, 0.5));
    } catch (const cv::Exception&) {
      throw Error("Cannot use {} as a face detector: it is not a YuNet network.", model.string());
    }
  }

  std::vector<DetectedFace> detect(const Image& photo) const override {
    check_image(photo, "The photo");
    const double scale =
        std::min(1.0, static_cast<double>(kLongSide) /
                          static_cast<double>(std::max(photo.rows(), photo.cols())));
    const auto border = static_cast<int>(
        std::ceil(kBorder * scale * static_cast<double>(std::max(photo.rows(), photo.cols()))));
    const cv::Mat input = network_input(photo, scale, border);
    cv::Mat found;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      network_->setInputSize(input.size());
      network_->detect(input, found);
    }
    std::vector<DetectedFace> faces;
    for (int i = 0; i < found.rows; ++i)
      faces.push_back(to_face(found.ptr<float>(i), scale, border));
    sort_faces(faces);
    return faces;
  }

  std::string name() const override { return name_; }

 private:
  static cv::Mat network_input(const Image& photo, double scale, int border) {
    cv::Mat bytes = to_cv_bytes(photo);
    cv::resize(bytes, bytes, cv::Size(), scale, scale, cv::INTER_AREA);
    const int below = std::max(border, kSmallest - bytes.rows);
    const int right = std::max(border, kSmallest - bytes.cols);
    cv::copyMakeBorder(bytes, bytes, border, below, border, right, cv::BORDER_CONSTANT,
                       cv::Scalar(128));
    cv::cvtColor(bytes, bytes, cv::COLOR_GRAY2BGR);
    return bytes;
  }

  // OpenCV's row: x, y, w, h, right eye (the person's, so on the image's left), left eye, nose,
  // mouth corners, score.
  static DetectedFace to_face(const float* row, double scale, int border) {
    const auto x = [&](int i) { return (static_cast<double>(row[i]) - border) / scale; };
    DetectedFace face;
    face.box = {x(0), x(1), static_cast<double>(row[2]) / scale,
                static_cast<double>(row[3]) / scale};
    face.eyes = {{x(4), x(5)}, {x(6), x(7)}};
    if (face.eyes.left.x > face.eyes.right.x) std::swap(face.eyes.left, face.eyes.right);
    face.eyes_found = true;
    face.confidence = static_cast<double>(row[14]);
    return face;
  }

  std::string name_;
  mutable std::mutex mutex_;  // OpenCV's networks keep state between calls
  cv::Ptr<cv::FaceDetectorYN> network_;
};

}  // namespace

std::unique_ptr<FaceDetector> make_yunet_detector(const std::filesystem::path& model) {
  return std::make_unique<YunetDetector>(model);
}

}  // namespace longshot
