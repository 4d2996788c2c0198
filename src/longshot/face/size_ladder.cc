// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/size_ladder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "longshot/image/middle_size.h"

namespace longshot {
namespace {

// Each has about half as many pixels again as the one before: 6x5, 7x6, 10x8, 12x10, ... of 48x40.
constexpr std::array<double, 7> kWidths = {5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 20.0};
constexpr double kFullWidth = 40.0;
constexpr double kMayLack = 0.1;  // of a side

double side(Size size) {
  return std::sqrt(static_cast<double>(size.pixels()));
}

}  // namespace

std::vector<Size> size_ladder(Size high) {
  std::vector<Size> ladder;
  for (const double width : kWidths) {
    const double fraction = width / kFullWidth;
    const Size step = {std::lround(fraction * static_cast<double>(high.rows)),
                       std::lround(fraction * static_cast<double>(high.cols))};
    if (step.rows < 1 || step.cols < 1) continue;
    if (ladder.empty() || step.pixels() > ladder.back().pixels()) ladder.push_back(step);
  }
  return ladder;
}

std::optional<Size> ladder_step(Size probe, const std::vector<Size>& ladder) {
  std::optional<Size> best;
  for (const Size step : ladder) {
    if (side(step) * (1.0 - kMayLack) <= side(probe)) best = step;
  }
  return best;
}

std::optional<Size> search_size(const std::vector<Image>& faces, const std::vector<Size>& ladder) {
  std::vector<Size> steps;
  for (const Image& face : faces) {
    if (const auto step = ladder_step(size_of(face), ladder)) steps.push_back(*step);
  }
  if (steps.empty()) return std::nullopt;
  return middle_size(std::move(steps));
}

std::string too_small(Size face, const std::vector<Size>& ladder) {
  return fmt::format("The face has {} pixels, too few: at least {} are needed, or state the size.",
                     to_string(face), to_string(ladder.front()));
}

Size size_of_face(const Eyes& eyes, const FaceFrame& frame) {
  const double width = eye_distance(eyes) / (frame.eyes.right.x - frame.eyes.left.x);
  return {std::max<Index>(1, std::lround(width * frame.aspect)),
          std::max<Index>(1, std::lround(width))};
}

Size native_size(const Face& face, const FaceFrame& frame) {
  if (face.source == FaceSource::kAligned || face.source == FaceSource::kTightCrop || !face.eyes) {
    return face.photo_size;
  }
  return size_of_face(*face.eyes, frame);
}

}  // namespace longshot
