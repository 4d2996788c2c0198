// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/face_track.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

#include "longshot/image/align.h"
#include "longshot/image/degrade.h"

namespace longshot {
namespace {

constexpr Size kTemplate = {24, 20};       // at which faces are laid on each other
constexpr double kLargestDistance = 40.0;  // pixels between the eyes of a patch
constexpr double kFarthest = 0.15;         // that eyes are moved, in eye distances
constexpr int kRounds = 3;

// How the sampling of one face has to change, in pixels of the template and as a logarithm.
struct Correction {
  double dx = 0.0;
  double dy = 0.0;
  double log_scale = 0.0;
};

Eyes moved(const Eyes& eyes, double dx, double dy, double factor) {
  const Eyes there = {{eyes.left.x + dx, eyes.left.y + dy}, {eyes.right.x + dx, eyes.right.y + dy}};
  return {{there.left.x * factor, there.left.y * factor},
          {there.right.x * factor, there.right.y * factor}};
}

// The eyes of a face after its correction; one pixel of the template is a tenth of their distance.
Eyes corrected(const Eyes& eyes, const Correction& by) {
  const double unit = eye_distance(eyes) / (0.5 * static_cast<double>(kTemplate.cols));
  const double ax = (eyes.right.x - eyes.left.x) / eye_distance(eyes);
  const double ay = (eyes.right.y - eyes.left.y) / eye_distance(eyes);
  const double limit = kFarthest * eye_distance(eyes) / unit;
  const double dx = std::clamp(by.dx, -limit, limit) * unit;
  const double dy = std::clamp(by.dy, -limit, limit) * unit;
  const double half = 0.5 * std::exp(std::clamp(by.log_scale, -kFarthest, kFarthest));
  const Point middle = {0.5 * (eyes.left.x + eyes.right.x) + dx * ax - dy * ay,
                        0.5 * (eyes.left.y + eyes.right.y) + dx * ay + dy * ax};
  const double x = half * (eyes.right.x - eyes.left.x);
  const double y = half * (eyes.right.y - eyes.left.y);
  return {{middle.x - x, middle.y - y}, {middle.x + x, middle.y + y}};
}

Image template_of(const TrackedFace& face, const Correction& by) {
  return normalised(align_face(face.patch, corrected(face.eyes, by), FaceFrame(), kTemplate));
}

Image slope_along(const Image& image, bool across) {
  const Index rows = image.rows();
  const Index cols = image.cols();
  return Image::NullaryExpr(rows, cols, [&](Index r, Index c) {
    const Index after = across ? std::min(c + 1, cols - 1) : std::min(r + 1, rows - 1);
    const Index before = across ? std::max<Index>(c - 1, 0) : std::max<Index>(r - 1, 0);
    const double rise =
        across ? image(r, after) - image(r, before) : image(after, c) - image(before, c);
    return rise / static_cast<double>(after - before);
  });
}

// One step of Gauss and Newton towards the mean, damped.
Correction step_towards(const Image& mean, const Image& own) {
  const Image across = slope_along(own, true);
  const Image down = slope_along(own, false);
  const Eyes eyes = eyes_in_pixels(FaceFrame(), kTemplate);
  Matrix jacobian(own.size(), 3);
  jacobian.col(0) = across.reshaped();
  jacobian.col(1) = down.reshaped();
  for (Index c = 0; c < own.cols(); ++c) {
    for (Index r = 0; r < own.rows(); ++r) {
      const double x = static_cast<double>(c) + 0.5 - 0.5 * (eyes.left.x + eyes.right.x);
      const double y = static_cast<double>(r) + 0.5 - eyes.left.y;
      jacobian(c * own.rows() + r, 2) = x * across(r, c) + y * down(r, c);
    }
  }
  const Eigen::Vector3d right = jacobian.transpose() * (mean - own).reshaped();
  Eigen::Matrix3d normal = jacobian.transpose() * jacobian;
  normal.diagonal() *= 1.05;
  normal.diagonal().array() += 1e-6;
  const Eigen::Vector3d step = normal.ldlt().solve(right);
  return {std::clamp(step(0), -1.0, 1.0), std::clamp(step(1), -1.0, 1.0),
          std::clamp(step(2), -0.05, 0.05)};
}

// The track as a whole stays where its detector saw it.
void centre(std::vector<Correction>& all) {
  Correction mean;
  const double share = 1.0 / static_cast<double>(all.size());
  for (const Correction& one : all) {
    mean.dx += share * one.dx;
    mean.dy += share * one.dy;
    mean.log_scale += share * one.log_scale;
  }
  for (Correction& one : all) {
    one.dx -= mean.dx;
    one.dy -= mean.dy;
    one.log_scale -= mean.log_scale;
  }
}

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double sharpness_of(const Image& normal) {
  return std::sqrt(slope_along(normal, true).squaredNorm() +
                   slope_along(normal, false).squaredNorm());
}

// A face is compared with the mean of the others, so that it does not vouch for itself.
void weigh(FaceTrack& track, const std::vector<Image>& templates, const Image& sum) {
  constexpr double kFloor = 0.02;  // of unlikeness, below which frames are all the same
  constexpr double kFar = 3.0;     // times the usual unlikeness: another view, or somebody else
  std::vector<double> unlike;
  std::vector<double> sharp;
  double widest = 0.0;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    const Image others = normalised(sum - templates[i]);
    unlike.push_back(1.0 - others.cwiseProduct(templates[i]).sum());
    sharp.push_back(sharpness_of(templates[i]));
    widest = std::max(widest, eye_distance(track.faces[i].face.eyes));
  }
  const double usual = median_of(unlike);
  const double usual_sharp = std::max(median_of(sharp), 1e-9);
  double largest = 0.0;
  for (std::size_t i = 0; i < templates.size(); ++i) {
    TrackedFace& one = track.faces[i];
    const double blur = std::min(1.0, sharp[i] / usual_sharp);
    const double pixels = eye_distance(one.face.eyes) / widest;
    const bool far = unlike[i] > kFar * std::max(usual, kFloor);
    one.weight =
        far ? 0.0 : blur * blur * pixels * pixels * one.face.likeness / (unlike[i] + kFloor);
    largest = std::max(largest, one.weight);
  }
  for (TrackedFace& one : track.faces) one.weight /= std::max(largest, 1e-12);
}

}  // namespace

Image normalised(const Image& image) {
  const Image centred = image.array() - image.mean();
  return centred / std::max(centred.norm(), 1e-9);
}

TrackedFace tracked_face(const Image& frame, Index number, double seconds, const FoundFace& face) {
  const double apart = eye_distance(face.eyes);
  const double x = 0.5 * (face.eyes.left.x + face.eyes.right.x);
  const double y = 0.5 * (face.eyes.left.y + face.eyes.right.y);
  const auto within = [](double at, Index most) {
    return std::clamp<Index>(static_cast<Index>(std::floor(at)), 0, most);
  };
  const Index left = within(x - 1.6 * apart, frame.cols() - 1);
  const Index top = within(y - 1.4 * apart, frame.rows() - 1);
  const Index right = std::max(left + 1, within(x + 1.6 * apart + 1.0, frame.cols()));
  const Index bottom = std::max(top + 1, within(y + 2.2 * apart + 1.0, frame.rows()));
  TrackedFace tracked{number, seconds, face, frame.block(top, left, bottom - top, right - left),
                      {},     1.0};
  const double factor = std::min(1.0, kLargestDistance / apart);
  tracked.eyes = moved(face.eyes, -static_cast<double>(left), -static_cast<double>(top), 1.0);
  if (factor < 1.0) {
    const Size size = {std::lround(factor * static_cast<double>(tracked.patch.rows())),
                       std::lround(factor * static_cast<double>(tracked.patch.cols()))};
    tracked.patch = degrade(tracked.patch, size, {OperatorKind::kArea});
    tracked.eyes = moved(tracked.eyes, 0.0, 0.0, factor);
  }
  return tracked;
}

void align_track(FaceTrack& track) {
  if (track.faces.size() < 2) return;
  std::vector<Correction> corrections(track.faces.size());
  std::vector<Image> templates(track.faces.size());
  Image sum;
  for (int round = 0; round <= kRounds; ++round) {
    sum = Image::Zero(kTemplate.rows, kTemplate.cols);
    for (std::size_t i = 0; i < templates.size(); ++i) {
      templates[i] = template_of(track.faces[i], corrections[i]);
      sum += templates[i];
    }
    if (round == kRounds) break;
    const Image mean = normalised(sum);
    for (std::size_t i = 0; i < templates.size(); ++i) {
      const Correction step = step_towards(mean, templates[i]);
      corrections[i].dx += step.dx;
      corrections[i].dy += step.dy;
      corrections[i].log_scale += step.log_scale;
    }
    centre(corrections);
  }
  for (std::size_t i = 0; i < templates.size(); ++i) {
    track.faces[i].eyes = corrected(track.faces[i].eyes, corrections[i]);
  }
  weigh(track, templates, sum);
}

double effective_frames(const FaceTrack& track) {
  double sum = 0.0;
  double squares = 0.0;
  for (const TrackedFace& face : track.faces) {
    sum += face.weight;
    squares += face.weight * face.weight;
  }
  return squares > 0.0 ? sum * sum / squares : 0.0;
}

}  // namespace longshot
