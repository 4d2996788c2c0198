// SPDX-License-Identifier: Apache-2.0
#include "longshot/face/face_pyramid.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <opencv2/imgproc.hpp>

#include "longshot/core/parallel.h"

namespace longshot {
namespace {

constexpr double kOctave = 2.0;
constexpr double kOctaveOverlap = 1.1;  // of the widths of neighbouring levels
// The box of a face that fills a tight crop is wider than the crop, and its eyes lie apart by this
// much of it (eyes_in_box).
constexpr double kWidestBox = 1.5;
constexpr double kEyesInBox = 0.368;
constexpr int kTileSide = 960;        // pixels of the level that a tile adds
constexpr double kBeyond = 0.3;       // of the widest box, that the image is continued by
constexpr double kTileOverlap = 1.1;  // of the widest box: each one is whole on some tile

int upwards(double value) {
  return static_cast<int>(std::ceil(value));
}

struct Tile {
  cv::Mat pixels;
  Point corner;  // of its first pixel, in the image
};

// The part of the level, which may reach beyond the image.
Tile cut_tile(const cv::Mat& grey, const cv::Rect& wanted, double factor) {
  // A margin in the image lets the tile be interpolated as the whole level would be.
  constexpr int kMargin = 4;
  const cv::Point first(static_cast<int>(std::floor(wanted.x / factor)) - kMargin,
                        static_cast<int>(std::floor(wanted.y / factor)) - kMargin);
  const cv::Point last(upwards(wanted.br().x / factor) + kMargin,
                       upwards(wanted.br().y / factor) + kMargin);
  const cv::Rect part(first, last);
  const cv::Rect there = part & cv::Rect(0, 0, grey.cols, grey.rows);
  cv::Mat pixels;
  cv::copyMakeBorder(grey(there), pixels, there.y - part.y, part.br().y - there.br().y,
                     there.x - part.x, part.br().x - there.br().x,
                     cv::BORDER_REPLICATE | cv::BORDER_ISOLATED);
  cv::resize(pixels, pixels, cv::Size(), factor, factor,
             factor < 1.0 ? cv::INTER_AREA : cv::INTER_CUBIC);
  const auto offset = [&](int at, int from) {
    return std::max(0, static_cast<int>(std::floor(at - from * factor)));
  };
  const cv::Point at(offset(wanted.x, first.x), offset(wanted.y, first.y));
  const cv::Rect kept = cv::Rect(at, wanted.size()) & cv::Rect(0, 0, pixels.cols, pixels.rows);
  return {pixels(kept).clone(), {first.x + at.x / factor, first.y + at.y / factor}};
}

// What has to be seen of a tile, so that each box that touches the area is whole.
std::optional<cv::Rect> wanted_part(const cv::Rect& tile, const PyramidLevel& level,
                                    const SearchArea& area) {
  const double factor = level.factor;
  const std::optional<Box> part =
      area.within({tile.x / factor, tile.y / factor, tile.width / factor, tile.height / factor});
  if (!part) return std::nullopt;
  const int beside = upwards(level.widths.most);
  const cv::Point first(static_cast<int>(std::floor(part->x * factor)) - beside,
                        static_cast<int>(std::floor(part->y * factor)) - beside);
  const cv::Point last(upwards((part->x + part->width) * factor) + beside,
                       upwards((part->y + part->height) * factor) + beside);
  return tile & cv::Rect(first, last);
}

}  // namespace

std::vector<PyramidLevel> pyramid_levels(Size image, double least_eye_distance,
                                         double least_width) {
  std::vector<PyramidLevel> levels;
  const double widest = kWidestBox * static_cast<double>(std::min(image.rows, image.cols));
  for (double width = least_eye_distance / kEyesInBox; width <= widest; width *= kOctave) {
    levels.push_back({least_width / width, {least_width, kOctaveOverlap * kOctave * least_width}});
  }
  std::reverse(levels.begin(), levels.end());
  return levels;
}

std::vector<FaceProposal> propose_on_level(const cv::Mat& grey, const PyramidLevel& level,
                                           const FaceDetector& detector, bool again,
                                           const SearchArea& area) {
  const int beyond = upwards(kBeyond * level.widths.most);
  const int shared = upwards(kTileOverlap * level.widths.most);
  const int right = upwards(grey.cols * level.factor) + beyond;
  const int bottom = upwards(grey.rows * level.factor) + beyond;
  std::vector<cv::Rect> tiles;
  for (int y = -beyond; y == -beyond || y + shared < bottom; y += kTileSide) {
    for (int x = -beyond; x == -beyond || x + shared < right; x += kTileSide) {
      const cv::Rect tile(x, y, std::min(kTileSide + shared, right - x),
                          std::min(kTileSide + shared, bottom - y));
      if (const auto wanted = wanted_part(tile, level, area)) tiles.push_back(*wanted);
    }
  }
  std::vector<std::vector<FaceProposal>> proposed(tiles.size());
  parallel_for(static_cast<Index>(tiles.size()), [&](Index i) {
    const auto at = static_cast<std::size_t>(i);
    const Tile tile = cut_tile(grey, tiles[at], level.factor);
    proposed[at] = detector.propose(tile.pixels, level.widths, again);
    for (FaceProposal& proposal : proposed[at]) {
      for (Point* eye : {&proposal.eyes.left, &proposal.eyes.right}) {
        *eye = {tile.corner.x + eye->x / level.factor, tile.corner.y + eye->y / level.factor};
      }
    }
  });
  std::vector<FaceProposal> all;
  for (const std::vector<FaceProposal>& one : proposed)
    all.insert(all.end(), one.begin(), one.end());
  return all;
}

}  // namespace longshot
