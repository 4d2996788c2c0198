// SPDX-License-Identifier: Apache-2.0
#include "longshot/clip/changed_places.h"

#include <algorithm>
#include <vector>

namespace longshot {
namespace {

constexpr Index kSide = 8;  // pixels: a face with 6 of them between the eyes is two squares wide
constexpr double kChange = 4.0;  // deviations of the noise
// Bounds of the deviation that is believed, of intensities: a mean of 64 pixels is hardly noisier,
// and where the camera moves, most differences are none of noise.
constexpr double kLeastNoise = 0.25 / 255.0;
constexpr double kMostNoise = 2.0 / 255.0;

Image means_of_squares(const Image& frame) {
  const Index rows = (frame.rows() + kSide - 1) / kSide;
  const Index cols = (frame.cols() + kSide - 1) / kSide;
  return Image::NullaryExpr(rows, cols, [&](Index r, Index c) {
    const Index height = std::min(kSide, frame.rows() - r * kSide);
    const Index width = std::min(kSide, frame.cols() - c * kSide);
    return frame.block(r * kSide, c * kSide, height, width).mean();
  });
}

double quantile(const Image& values, double share) {
  std::vector<double> sorted(values.data(), values.data() + values.size());
  const auto at =
      sorted.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(sorted.size() - 1));
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

// Without single squares: a face is wider than one, and noise is rarely found side by side.
SearchArea::Squares without_specks(const SearchArea::Squares& squares) {
  const auto beside = [&](Index r, Index c) {
    const Index top = std::max<Index>(r - 1, 0);
    const Index left = std::max<Index>(c - 1, 0);
    const Index height = std::min(r + 2, squares.rows()) - top;
    const Index width = std::min(c + 2, squares.cols()) - left;
    return squares.block(top, left, height, width).count() > 1;
  };
  return SearchArea::Squares::NullaryExpr(squares.rows(), squares.cols(), [&](Index r, Index c) {
    return squares(r, c) && beside(r, c);
  });
}

}  // namespace

SearchArea ChangedPlaces::look_at(const Image& frame, bool everywhere) {
  const Image now = means_of_squares(frame);
  if (size_of(now) != size_of(seen_)) {
    seen_ = now;
    share_ = 0.0;
    return {};
  }
  Image change = now - seen_;
  change = (change.array() - quantile(change, 0.5)).abs();
  // A quarter of all normal values lies within 0.319 deviations of their mean.
  const double noise = std::clamp(quantile(change, 0.25) / 0.319, kLeastNoise, kMostNoise);
  const SearchArea::Squares changed = without_specks(change.array() > kChange * noise);
  share_ = static_cast<double>(changed.count()) / static_cast<double>(changed.size());
  if (everywhere) {
    seen_ = now;
    return {};
  }
  seen_ = changed.select(now, seen_);
  return {changed, kSide};
}

}  // namespace longshot
