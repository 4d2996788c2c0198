// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "longshot/image/decode_budget.h"
#include "longshot/image/image.h"

namespace longshot {

// How the colours of a pixel stand in memory.
enum class PixelLayout { kGrey, kRgb, kBgr };

// The grey image that decoders fill row by row, so that no copy of the photo in colour and double
// precision is ever held. Rows go where EXIF's orientation (1 to 8) says.
class GreyRows {
 public:
  // Takes the memory of the image from the budget. `size`: as stored, before turning.
  GreyRows(Size size, int orientation, DecodeBudget& budget);

  // `scale`: 1 / the value of white. Colour becomes grey by ITU-R BT.601.
  template <typename Value>
  void put(Index row, const Value* pixels, PixelLayout layout, double scale) {
    for (Index col = 0; col < size_.cols; ++col) {
      if (layout == PixelLayout::kGrey) {
        at(row, col) = static_cast<double>(pixels[col]) * scale;
        continue;
      }
      const Value* pixel = pixels + 3 * col;
      const double first = static_cast<double>(pixel[0]) * scale;
      const double green = static_cast<double>(pixel[1]) * scale;
      const double third = static_cast<double>(pixel[2]) * scale;
      const double red = layout == PixelLayout::kRgb ? first : third;
      const double blue = layout == PixelLayout::kRgb ? third : first;
      at(row, col) = 0.299 * red + 0.587 * green + 0.114 * blue;
    }
  }

  Size size() const { return size_; }
  Image& image() { return image_; }

 private:
  double& at(Index row, Index col) {
    const Index r = flip_rows_ ? size_.rows - 1 - row : row;
    const Index c = flip_cols_ ? size_.cols - 1 - col : col;
    return turned_ ? image_(c, r) : image_(r, c);
  }

  Size size_;
  bool turned_ = false;  // rows become columns
  bool flip_rows_ = false;
  bool flip_cols_ = false;
  Image image_;
};

// EXIF's orientation in the TIFF structure that follows "Exif\0\0"; 1 (as it is) if it says none.
int exif_orientation(std::string_view tiff);

}  // namespace longshot
