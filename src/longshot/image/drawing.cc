// SPDX-License-Identifier: Apache-2.0
#include "longshot/image/drawing.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <opencv2/imgproc.hpp>

#include "longshot/core/error.h"
#include "longshot/core/utf8.h"
#include "longshot/image/cv_mat.h"

namespace longshot {
namespace {

constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
constexpr double kFontScale = 0.5;  // of the font, so that a line is kTextHeight high
constexpr Index kTextMargin = 3;    // pixels of a plate on each side of its text
// Pixels of a picture that is drawn on.
constexpr Index kReadableSide = 640;
constexpr Index kLargestSide = 1600;    // to which small faces enlarge it
constexpr double kReadableFace = 40.0;  // across

// Rows and columns of a picture; the end is one behind.
struct PixelBlock {
  Index row = 0;
  Index col = 0;
  Index row_end = 0;
  Index col_end = 0;
};

PixelBlock within(const PixelBlock& block, Size size) {
  return {std::clamp<Index>(block.row, 0, size.rows), std::clamp<Index>(block.col, 0, size.cols),
          std::clamp<Index>(block.row_end, 0, size.rows),
          std::clamp<Index>(block.col_end, 0, size.cols)};
}

bool overlap(const PixelBlock& a, const PixelBlock& b) {
  return a.row < b.row_end && b.row < a.row_end && a.col < b.col_end && b.col < a.col_end;
}

void fill(ColorImage& picture, const PixelBlock& block, const Colour& colour) {
  const PixelBlock inside = within(block, size_of(picture.red));
  const Index rows = inside.row_end - inside.row;
  const Index cols = inside.col_end - inside.col;
  if (rows <= 0 || cols <= 0) return;
  picture.red.block(inside.row, inside.col, rows, cols).setConstant(colour.red);
  picture.green.block(inside.row, inside.col, rows, cols).setConstant(colour.green);
  picture.blue.block(inside.row, inside.col, rows, cols).setConstant(colour.blue);
}

// Places that are no numbers, or far away, lie just outside.
Index pixel_at(double place) {
  constexpr double kFar = 1e6;
  return std::isnan(place) ? -1 : std::lround(std::clamp(place, -kFar, kFar));
}

PixelBlock pixels_of(const Box& box) {
  return {pixel_at(box.y), pixel_at(box.x), pixel_at(box.y + box.height),
          pixel_at(box.x + box.width)};
}

// Above the box or below it, or inside at its top if it is large; nothing where something else is.
std::optional<PixelBlock> place_at(const PixelBlock& box, Index width, Size size,
                                   const std::vector<PixelBlock>& taken) {
  constexpr Index kLargeBox = 8 * kTextHeight;
  const Index lowest = size.rows - kTextHeight;
  const Index col = std::clamp<Index>(box.col, 0, std::max<Index>(0, size.cols - width));
  std::vector<Index> rows = {box.row - kTextHeight, box.row_end};
  if (box.row_end - box.row >= kLargeBox) rows.push_back(std::max<Index>(0, box.row));
  for (const Index row : rows) {
    const PixelBlock place = {row, col, row + kTextHeight, col + width};
    if (row < 0 || row > lowest) continue;
    if (std::ranges::none_of(taken, [&](const auto& one) { return overlap(one, place); })) {
      return place;
    }
  }
  return std::nullopt;
}

// What there is no room for lies in its box, as far as that is in the picture.
PixelBlock place_within(const PixelBlock& box, Index width, Size size) {
  const Index row = std::clamp<Index>(box.row, 0, std::max<Index>(0, size.rows - kTextHeight));
  const Index col = std::clamp<Index>(box.col, 0, std::max<Index>(0, size.cols - width));
  return {row, col, row + kTextHeight, col + width};
}

struct Plate {
  std::string text;
  PixelBlock place;
  Colour colour;
};

// All numbers first, so that none has to give way to the name of a neighbour; then the names for
// which there still is room.
std::vector<Plate> plates_for(const std::vector<FaceMark>& marks,
                              const std::vector<PixelBlock>& boxes, Size size) {
  std::vector<Plate> plates;
  const auto taken_for = [&](std::size_t own) {
    std::vector<PixelBlock> taken;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      if (i == own) continue;
      taken.push_back(boxes[i]);
      if (i < plates.size()) taken.push_back(plates[i].place);
    }
    return taken;
  };
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::string text = fmt::format("{}", marks[i].number);
    const Index width = text_width(text) + 2 * kTextMargin;
    const auto place = place_at(boxes[i], width, size, taken_for(i));
    plates.push_back({text, place.value_or(place_within(boxes[i], width, size)), marks[i].colour});
  }
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::string text =
        cut_to_width(drawable(fmt::format("{} {}", marks[i].number, marks[i].text)),
                     std::max<Index>(0, size.cols - 2 * kTextMargin));
    const Index width = text_width(text) + 2 * kTextMargin;
    const auto place = place_at(boxes[i], width, size, taken_for(i));
    if (place) plates[i] = {text, *place, marks[i].colour};
  }
  return plates;
}

}  // namespace

std::string drawable(std::string_view utf8) {
  std::string text;
  while (!utf8.empty()) {
    const std::size_t length = utf8_length(utf8);
    const char front = utf8.front();
    text += length == 1 && front >= ' ' && front <= '~' ? front : '?';
    utf8.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return text;
}

Index text_width(std::string_view drawable_text) {
  return cv::getTextSize(std::string(drawable_text), kFont, kFontScale, 1, nullptr).width;
}

std::string cut_to_width(std::string_view drawable_text, Index width) {
  if (text_width(drawable_text) <= width) return std::string(drawable_text);
  std::string text;
  do {
    if (drawable_text.empty()) return "";
    drawable_text.remove_suffix(1);
    text = std::string(drawable_text) + "..";
  } while (text_width(text) > width);
  return text;
}

ColorImage enlarged(const Image& image, Index times) {
  if (times < 1) throw Error("A picture is enlarged at least once, not {} times.", times);
  if (times == 1) return {image, image, image};
  const Image large =
      Image::NullaryExpr(times * image.rows(), times * image.cols(),
                         [&](Index row, Index col) { return image(row / times, col / times); });
  return {large, large, large};
}

void draw_box(ColorImage& picture, const Box& box, const Colour& colour, Index thickness) {
  const PixelBlock all = pixels_of(box);
  fill(picture, {all.row, all.col, all.row + thickness, all.col_end}, colour);
  fill(picture, {all.row_end - thickness, all.col, all.row_end, all.col_end}, colour);
  fill(picture, {all.row, all.col, all.row_end, all.col + thickness}, colour);
  fill(picture, {all.row, all.col_end - thickness, all.row_end, all.col_end}, colour);
}

void draw_text(ColorImage& picture, Index row, Index col, std::string_view text,
               const Colour& colour) {
  const std::string line = drawable(text);
  const Index width = text_width(line);
  if (width == 0) return;
  cv::Mat ink = cv::Mat::zeros(kTextHeight, static_cast<int>(width), CV_8U);
  constexpr int kBaseline = kTextHeight - 5;
  cv::putText(ink, line, {0, kBaseline}, kFont, kFontScale, 255, 1, cv::LINE_AA);
  const Image share = to_image(ink) / 255.0;
  const PixelBlock inside =
      within({row, col, row + kTextHeight, col + width}, size_of(picture.red));
  const auto blend = [&](Image& plane, double value) {
    for (Index c = inside.col; c < inside.col_end; ++c) {
      for (Index r = inside.row; r < inside.row_end; ++r) {
        const double part = share(r - row, c - col);
        plane(r, c) += part * (value - plane(r, c));
      }
    }
  };
  blend(picture.red, colour.red);
  blend(picture.green, colour.green);
  blend(picture.blue, colour.blue);
}

Index times_to_read(Size size, const std::vector<FaceMark>& marks) {
  const Index side = std::max<Index>(1, std::max(size.rows, size.cols));
  const Index by_size = std::max<Index>(1, (kReadableSide + side - 1) / side);
  double smallest = kReadableFace;
  for (const FaceMark& mark : marks) smallest = std::min(smallest, std::max(1.0, mark.box.width));
  const auto by_face = static_cast<Index>(std::ceil(kReadableFace / smallest));
  return std::max(by_size, std::min(by_face, kLargestSide / side));
}

ColorImage marked(const Image& picture, const std::vector<FaceMark>& marks, Index times) {
  ColorImage result = enlarged(picture, times);
  const Size size = size_of(result.red);
  const auto scale = static_cast<double>(times);
  std::vector<PixelBlock> boxes;
  for (const FaceMark& mark : marks) {
    const Box box = {scale * mark.box.x, scale * mark.box.y, scale * mark.box.width,
                     scale * mark.box.height};
    draw_box(result, box, mark.colour);
    boxes.push_back(pixels_of(box));
  }
  for (const Plate& plate : plates_for(marks, boxes, size)) {
    fill(result, plate.place, {0.0, 0.0, 0.0});
    draw_text(result, plate.place.row, plate.place.col + kTextMargin, plate.text, plate.colour);
  }
  return result;
}

}  // namespace longshot
