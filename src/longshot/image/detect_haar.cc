// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>

#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>

#include "longshot/core/error.h"
#include "longshot/image/align.h"
#include "longshot/image/cv_mat.h"
#include "longshot/image/detect.h"

namespace longshot {
namespace {

namespace fs = std::filesystem;

constexpr int kLongestSide = 800;  // larger photos are shrunk before detection
constexpr int kSmallestFace = 36;  // pixels, after that
// The eye cascades' boxes reach up to the brow, so the pupil lies below their middle: measured
// against YuNet's eyes on ten frontal portraits.
constexpr double kEyeHeight = 0.57;
constexpr int kEyeSearchWidth = 200;  // faces are brought to this width to look for eyes

fs::path cascade_folder(const fs::path& folder) {
  if (!folder.empty()) return folder;
  for (const char* candidate : {"/usr/share/opencv4/haarcascades", "/usr/share/opencv/haarcascades",
                                "/usr/local/share/opencv4/haarcascades"}) {
    if (fs::exists(candidate)) return candidate;
  }
  throw Error(
      "No face detector: install the package opencv-data, or name a YuNet model as detector.");
}

cv::CascadeClassifier load_cascade(const fs::path& folder, const char* name) {
  const fs::path file = folder / name;
  cv::CascadeClassifier cascade;
  bool loaded = false;
  try {
    loaded = fs::exists(file) && cascade.load(file.string());
  } catch (const cv::Exception&) {
    loaded = false;
  }
  if (!loaded) throw Error("Cannot use {}: it is not a Haar cascade.", file.string());
  return cascade;
}

class HaarDetector final : public FaceDetector {
 public:
  explicit HaarDetector(const fs::path& folder)
      : face_(load_cascade(folder, "haarcascade_frontalface_alt2.xml")),
        eyes_{load_cascade(folder, "haarcascade_eye_tree_eyeglasses.xml"),
              load_cascade(folder, "haarcascade_eye.xml")} {}

  std::vector<DetectedFace> detect(const Image& photo) const override {
    check_image(photo, "The photo");
    const double scale =
        std::min(1.0, static_cast<double>(kLongestSide) /
                          static_cast<double>(std::max(photo.rows(), photo.cols())));
    const cv::Mat bytes = to_cv_bytes(photo);
    cv::Mat small;
    cv::resize(bytes, small, cv::Size(), scale, scale, cv::INTER_AREA);
    cv::equalizeHist(small, small);

    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<cv::Rect> boxes;
    std::vector<int> levels;
    std::vector<double> weights;
    face_.detectMultiScale(small, boxes, levels, weights, 1.08, 4, 0,
                           cv::Size(kSmallestFace, kSmallestFace), cv::Size(), true);
    std::vector<DetectedFace> faces;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      const cv::Rect& box = boxes[i];
      DetectedFace face;
      face.box = {box.x / scale, box.y / scale, box.width / scale, box.height / scale};
      face.confidence = weights[i];
      find_eyes(bytes, face);
      faces.push_back(face);
    }
    sort_faces(faces);
    return faces;
  }

  std::string name() const override { return "Haar cascades"; }

 private:
  // Looks for one eye in each upper half of the face; where one is not found, both stay where they
  // usually are, since one seen and one guessed eye would turn the face.
  void find_eyes(const cv::Mat& photo, DetectedFace& face) const {
    face.eyes = eyes_in_box(face.box);
    const std::optional<Point> left = find_eye(photo, face.box, 0.10, face.eyes.left);
    const std::optional<Point> right = find_eye(photo, face.box, 0.50, face.eyes.right);
    if (!left || !right) return;
    const Eyes seen{*left, *right};
    const double tilt = std::atan2(right->y - left->y, right->x - left->x);
    const double apart = eye_distance(seen) / face.box.width;
    if (std::abs(tilt) > 0.4 || apart < 0.25 || apart > 0.55) return;
    face.eyes = seen;
    face.eyes_found = true;
  }

  std::optional<Point> find_eye(const cv::Mat& photo, const Box& box, double from,
                                const Point& expected) const {
    const cv::Rect2d wanted(box.x + from * box.width, box.y + 0.18 * box.height, 0.40 * box.width,
                            0.42 * box.height);
    const cv::Rect region = cv::Rect(wanted) & cv::Rect(0, 0, photo.cols, photo.rows);
    if (region.width < 8 || region.height < 8) return std::nullopt;
    const double scale = kEyeSearchWidth / box.width;
    cv::Mat patch;
    cv::resize(photo(region), patch, cv::Size(), scale, scale,
               scale < 1.0 ? cv::INTER_AREA : cv::INTER_CUBIC);
    for (cv::CascadeClassifier& cascade : eyes_) {
      std::vector<cv::Rect> found;
      cascade.detectMultiScale(patch, found, 1.05, 3, 0, cv::Size(24, 24), cv::Size(80, 80));
      std::optional<Point> best;
      double best_distance = 0.2 * box.width;
      for (const cv::Rect& eye : found) {
        const Point centre{region.x + (eye.x + 0.5 * eye.width) / scale,
                           region.y + (eye.y + kEyeHeight * eye.height) / scale};
        const double distance = std::hypot(centre.x - expected.x, centre.y - expected.y);
        if (distance < best_distance) {
          best_distance = distance;
          best = centre;
        }
      }
      if (best) return best;
    }
    return std::nullopt;
  }

  mutable std::mutex mutex_;  // a cascade keeps buffers between calls
  mutable cv::CascadeClassifier face_;
  mutable std::array<cv::CascadeClassifier, 2> eyes_;
};

}  // namespace

std::unique_ptr<FaceDetector> make_haar_detector(const fs::path& folder) {
  return std::make_unique<HaarDetector>(cascade_folder(folder));
}

}  // namespace longshot
