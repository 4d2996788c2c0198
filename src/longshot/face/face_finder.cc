// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_finder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include <opencv2/imgproc.hpp>

#include "longshot/core/error.h"
#include "longshot/face/face_judge.h"
#include "longshot/face/face_pyramid.h"
#include "longshot/image/align.h"
#include "longshot/image/cv_mat.h"
#include "longshot/image/face_frame.h"

namespace longshot {
namespace {

// A proposal that was judged, and all others that lead to the same face.
struct JudgedFace {
  FoundFace face;
  double log_odds = 0.0;
  double support = 0.0;  // of its proposals together
};

double rank_of(const JudgedFace& judged) {
  return judged.log_odds + std::log1p(judged.support);
}

Eyes scaled(const Eyes& eyes, double factor) {
  return {{eyes.left.x * factor, eyes.left.y * factor},
          {eyes.right.x * factor, eyes.right.y * factor}};
}

// What the judge sees of a photo: faces that are larger than it knows are shrunk for it.
class JudgedPhoto {
 public:
  explicit JudgedPhoto(const cv::Mat& grey) : levels_{grey} {}

  std::optional<JudgedFace> judge(const FaceProposal& proposal, const FindOptions& options) {
    double factor = 1.0;
    std::size_t level = 0;
    while (eye_distance(proposal.eyes) * factor > kMostJudgedDistance) {
      ++level;
      factor *= 0.5;
    }
    while (levels_.size() <= level) {
      const cv::Mat& last = levels_.back();
      if (std::min(last.cols, last.rows) < 2) return std::nullopt;
      cv::Mat half;
      cv::resize(last, half, cv::Size(last.cols / 2, last.rows / 2), 0, 0, cv::INTER_AREA);
      levels_.push_back(half);
    }
    const FaceJudgement said = judge_face(levels_[level], scaled(proposal.eyes, factor));
    JudgedFace judged;
    const bool seen = proposal.eyes_found && eye_distance(proposal.eyes) >= kDetectorSeesEyes;
    judged.face.eyes = seen ? proposal.eyes : scaled(said.eyes, 1.0 / factor);
    judged.face.likeness = 1.0 / (1.0 + std::exp(-said.log_odds));
    const double distance = eye_distance(judged.face.eyes);
    if (!(judged.face.likeness >= options.least_likeness) ||
        distance < kSmallerBy * options.least_eye_distance) {
      return std::nullopt;
    }
    judged.face.box = box_of_eyes(judged.face.eyes);
    judged.face.eye_error = said.eye_error;
    judged.face.quality =
        face_quality(judged.face.likeness, distance, said.contrast, said.eye_error);
    judged.log_odds = said.log_odds;
    judged.support = proposal.support;
    return judged;
  }

 private:
  static constexpr double kDetectorSeesEyes = 12.0;  // pixels apart, if it looks for eyes at all
  static constexpr double kSmallerBy = 0.85;  // than asked for a face may be, after it was judged

  std::vector<cv::Mat> levels_;
};

double overlap(const Box& a, const Box& b) {
  const double width = std::min(a.x + a.width, b.x + b.width) - std::max(a.x, b.x);
  const double height = std::min(a.y + a.height, b.y + b.height) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0.0;
}

// Of the smaller of two boxes.
double overlapping_share(const Box& a, const Box& b) {
  return overlap(a, b) / std::min(a.width * a.height, b.width * b.height);
}

// Non-maximum suppression over places and scales: what overlaps a better face is that face.
std::vector<JudgedFace> without_doubles(std::vector<JudgedFace> judged) {
  constexpr double kSameFace = 0.4;
  std::stable_sort(judged.begin(), judged.end(), [](const JudgedFace& a, const JudgedFace& b) {
    return rank_of(a) > rank_of(b);
  });
  std::vector<JudgedFace> kept;
  for (const JudgedFace& one : judged) {
    const auto same = [&](const JudgedFace& better) {
      return overlapping_share(one.face.box, better.face.box) > kSameFace;
    };
    if (std::none_of(kept.begin(), kept.end(), same)) kept.push_back(one);
  }
  return kept;
}

// Of a photo on which nothing was found, to be searched once more, and for heads that are tilted.
constexpr Index kMostPixelsAgain = 2'000'000;
constexpr Index kMostPixelsTilted = 250'000;
constexpr double kTilt = 20.0;     // degrees, to either side
constexpr Index kMayBeACrop = 40;  // pixels of the shorter side, whatever a detector proposes

// The image may be a face crop as it is, on which no detector sees anything.
std::optional<FaceProposal> whole_image(Size size) {
  const double aspect = static_cast<double>(size.rows) / static_cast<double>(size.cols);
  if (aspect < 0.9 || aspect > 1.6) return std::nullopt;
  return FaceProposal{eyes_in_pixels(FaceFrame(), size), false, 1.0};
}

// The image turned about its middle, at its own size: the detectors see upright faces alone.
class TurnedImage {
 public:
  TurnedImage(const cv::Mat& grey, double degrees) : grey_(grey) {
    if (degrees == 0.0) return;
    const cv::Point2f middle(0.5F * static_cast<float>(grey.cols),
                             0.5F * static_cast<float>(grey.rows));
    const cv::Mat there = cv::getRotationMatrix2D(middle, degrees, 1.0);
    cv::invertAffineTransform(there, back_);
    cv::warpAffine(grey, grey_, there, grey.size(), cv::INTER_CUBIC, cv::BORDER_REPLICATE);
  }

  const cv::Mat& grey() const { return grey_; }
  Eyes turned_back(const Eyes& eyes) const {
    const auto back = [this](const Point& p) -> Point {
      return {back_(0, 0) * p.x + back_(0, 1) * p.y + back_(0, 2),
              back_(1, 0) * p.x + back_(1, 1) * p.y + back_(1, 2)};
    };
    return {back(eyes.left), back(eyes.right)};
  }

 private:
  cv::Mat grey_;
  cv::Matx23d back_ = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
};

std::vector<FoundFace> in_order(const std::vector<JudgedFace>& judged) {
  std::vector<FoundFace> faces;
  for (const JudgedFace& one : judged) faces.push_back(one.face);
  std::stable_sort(faces.begin(), faces.end(), [](const FoundFace& a, const FoundFace& b) {
    return a.box.width > b.box.width;
  });
  return faces;
}

std::unique_ptr<FaceDetector> haar_detector_if_there() {
  try {
    return make_haar_detector();
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

void FindOptions::check() const {
  if (!(least_eye_distance >= 2.0 && least_eye_distance <= 1000.0)) {
    throw Error("The least distance of eyes must be 2 to 1000 pixels, not {}.", least_eye_distance);
  }
  if (!(least_likeness >= 0.0 && least_likeness <= 1.0)) {
    throw Error("The least likeness of a face must be 0 to 1, not {}.", least_likeness);
  }
}

FaceFinder::FaceFinder(std::unique_ptr<FaceDetector> detector, std::unique_ptr<FaceDetector> second)
    : detector_(std::move(detector)), second_(std::move(second)) {}

std::vector<FoundFace> FaceFinder::find(const Image& photo, const FindOptions& options,
                                        const std::vector<Eyes>& expected,
                                        const SearchArea& area) const {
  check_image(photo, "The photo");
  options.check();
  const cv::Mat grey = to_cv_bytes(photo);
  JudgedPhoto judge(grey);
  std::vector<JudgedFace> judged;
  const auto consider = [&](const FaceProposal& proposal) {
    if (const auto face = judge.judge(proposal, options)) judged.push_back(*face);
  };
  for (const Eyes& eyes : expected) consider({eyes, false, 1.0});
  const auto look = [&](const FaceDetector& detector, bool again, double degrees = 0.0) {
    const TurnedImage turned(grey, degrees);
    // From the largest faces to the smallest. Where the main one is wanted, one level more shows
    // whether another is nearly as large.
    bool found = false;
    for (const PyramidLevel& level :
         pyramid_levels(size_of(photo), options.least_eye_distance, detector.least_width())) {
      const bool last = found && options.which == WhichFaces::kMain;
      for (FaceProposal one : propose_on_level(turned.grey(), level, detector, again, area)) {
        one.eyes = turned.turned_back(one.eyes);
        consider(one);
      }
      if (last) break;
      found = !judged.empty();
    }
  };
  look(*detector_, false);
  const auto whole = whole_image(size_of(photo));
  const bool small = std::min(photo.rows(), photo.cols()) < kMayBeACrop;
  if (whole && (small || judged.empty())) consider(*whole);
  // Another detector sees other faces. In a frame that would cost too much for what it finds.
  if (options.again && photo.size() <= kMostPixelsAgain) {
    if (judged.empty()) look(*detector_, true);
    for (const bool again : {false, true}) {
      if (judged.empty() && second_) look(*second_, again);
    }
    for (const double degrees : {-kTilt, kTilt}) {
      if (photo.size() > kMostPixelsTilted) break;
      for (const bool again : {false, true}) {
        if (judged.empty()) look(*detector_, again, degrees);
      }
    }
  }
  return in_order(without_doubles(std::move(judged)));
}

std::vector<FoundFace> faces_at(const Image& photo, const std::vector<Eyes>& expected,
                                const FindOptions& options) {
  if (expected.empty()) return {};
  options.check();
  JudgedPhoto judge(to_cv_bytes(photo));
  std::vector<JudgedFace> judged;
  for (const Eyes& eyes : expected) {
    if (const auto face = judge.judge({eyes, false, 1.0}, options)) judged.push_back(*face);
  }
  return in_order(without_doubles(std::move(judged)));
}

std::shared_ptr<const FaceFinder> shared_finder(const std::filesystem::path& detector) {
  static std::mutex mutex;
  static std::map<std::filesystem::path, std::shared_ptr<const FaceFinder>> finders;
  const std::lock_guard<std::mutex> lock(mutex);
  std::shared_ptr<const FaceFinder>& finder = finders[detector];
  if (!finder) {
    finder = detector.empty() ? std::make_shared<const FaceFinder>(make_haar_detector())
                              : std::make_shared<const FaceFinder>(make_yunet_detector(detector),
                                                                   haar_detector_if_there());
  }
  return finder;
}

MainFace main_face(const std::vector<FoundFace>& faces, Size photo) {
  // Somebody at the corner of a photo must be 1.5 times as large to be its main face.
  constexpr double kAtCorner = 1.0 / 1.5;
  constexpr double kClearMargin = 0.8;  // of prominence, which goes with the width
  const double width = static_cast<double>(photo.cols);
  const double height = static_cast<double>(photo.rows);
  const auto prominence = [&](const FoundFace& face) {
    const double x = (face.box.x + 0.5 * face.box.width) / width - 0.5;
    const double y = (face.box.y + 0.5 * face.box.height) / height - 0.5;
    const double aside = std::min(1.0, std::hypot(x, y) / std::sqrt(0.5));
    return face.box.width * (1.0 + aside * (kAtCorner - 1.0)) * std::sqrt(face.likeness);
  };
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < faces.size(); ++i) order.emplace_back(-prominence(faces[i]), i);
  std::sort(order.begin(), order.end());
  MainFace main{faces[order[0].second], false};
  main.doubtful = order.size() > 1 && order[1].first < kClearMargin * order[0].first;
  return main;
}

double face_quality(double likeness, double eye_distance, double contrast, double eye_error) {
  constexpr double kPixels = 5.0;
  constexpr double kContrast = 0.03;
  constexpr double kPlacement = 0.15;
  const double misplaced = eye_error / kPlacement;
  return likeness * eye_distance / (eye_distance + kPixels) * contrast / (contrast + kContrast) /
         (1.0 + misplaced * misplaced);
}

}  // namespace longshot
